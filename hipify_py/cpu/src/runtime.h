// What the parts of the runtime's C interface share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine.h"
#include "hip/hip_runtime_api.h"
#include "memory.h"

using Operation = std::function<hipError_t()>;

struct ihipGraph {
    std::vector<Operation> operations;
};
struct hipGraphExec {
    std::vector<Operation> operations;
};
struct ihipStream_t {
    unsigned flags = 0;
    int priority = 0;
    unsigned long long id = 0;
    ihipGraph* capture = nullptr;
};
struct ihipEvent_t {
    unsigned flags = 0;
    bool recorded = false;
    double time = 0;  // in milliseconds
};
struct ihipModuleSymbol_t {
    hipcpu::Kernel kernel{};
    const hipcpu::Module* module = nullptr;
    std::vector<std::string> names;
    int dynamic_limit = static_cast<int>(hipcpu::max_shared);
};

namespace hipcpu {

//: Remembers an error for hipGetLastError and returns it.
hipError_t report(hipError_t error);
//: The same for what a launch has come to. A fault of the kernel is kept for the next synchronization, too: a GPU tells it there.
hipError_t report_launch(int error);
//: What the launches before a synchronization have come to.
hipError_t finish_launches();
//: The answer of a function that is not implemented: one line on stderr.
hipError_t unsupported(const char* name);
//: Runs now, or later when the stream is being captured.
hipError_t submit(hipStream_t stream, Operation operation);
//: Whether a variable of a module holds the range.
bool symbol_of(const void* address, Symbol& symbol);
ihipModuleSymbol_t* function_of(const void* kernel);
uint32_t default_wave();
void forget_streams();

}  // namespace hipcpu
