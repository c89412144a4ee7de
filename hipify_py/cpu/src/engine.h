// The engine: runs the blocks of a launch over the cores, the lanes of a block as fibers of one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "hipcpu/abi.h"

namespace hipcpu {

constexpr uint32_t max_threads = 1024;
constexpr size_t max_shared = 64 << 10;

//: What one launch asks for.
struct Request {
    const char* name;
    Runner run;
    void** arguments;
    dim3 grid, block;
    size_t shared;
    const Module* module;
    uint32_t wave;
    bool cooperative = false;
};

//: Runs a launch to its end; the answer is a hipError_t.
int run_launch(const Request& request);

//: How many threads share the blocks of a launch.
unsigned worker_count();

//: Names the buffer around an address, for a message: see memory.cpp. False when there is none.
struct BufferPlace {
    ptrdiff_t offset;
    size_t size;
    bool freed;
};
bool find_buffer(const void* address, BufferPlace& place);

}  // namespace hipcpu
