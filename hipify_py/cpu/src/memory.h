// Buffers of the device: each ends at a page that nobody may touch, and starts as bytes 0xA5.
#pragma once

#include <cstddef>

namespace hipcpu {

enum class Kind { device, host, managed, registered };

struct Buffer {
    unsigned char* address = nullptr;
    size_t size = 0;
    Kind kind = Kind::device;
    unsigned flags = 0;
    unsigned char* mapping = nullptr;
    size_t mapping_size = 0;
};

//: Null and false when there is no memory left.
bool allocate(void** pointer, size_t size, Kind kind, unsigned flags);
bool release(void* pointer, bool host);
bool register_host(void* pointer, size_t size, unsigned flags);
bool unregister_host(void* pointer);
//: The live buffer that holds an address.
bool buffer_of(const void* address, Buffer& buffer);
//: Whether the range lies in one live buffer or in a module's variable; says why not, on stderr.
void memory_totals(size_t& free, size_t& total);

}  // namespace hipcpu
