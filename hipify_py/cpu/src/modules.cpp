// Modules, their functions and variables; launches; occupancy.
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "runtime.h"

using namespace hipcpu;

struct ihipModule_t {
    void* handle = nullptr;
    int file = -1;  // a memory file keeps its number while the module lives: dlopen goes by the name
    const Module* module = nullptr;
    std::vector<std::unique_ptr<ihipModuleSymbol_t>> functions;
};

namespace {

std::mutex& module_mutex() {
    static std::mutex* own = new std::mutex;
    return *own;
}
//: What hipModuleLoad has given out.
std::map<hipModule_t, bool>& modules() {
    static auto* own = new std::map<hipModule_t, bool>;
    return *own;
}
//: All modules of the process, those too that the host has loaded as libraries; and their functions, once asked for.
std::map<const Module*, std::map<const void*, std::unique_ptr<ihipModuleSymbol_t>>>& registry() {
    static auto* own = new std::map<const Module*, std::map<const void*, std::unique_ptr<ihipModuleSymbol_t>>>;
    return *own;
}

std::string without_spaces(const std::string& text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (!isspace(static_cast<unsigned char>(c))) {
            result += c;
            continue;
        }
        // `unsigned int` keeps its blank, `f<int, 4>` does not.
        const bool word = !result.empty() && (isalnum(static_cast<unsigned char>(result.back())) || result.back() == '_');
        size_t next = i;
        while (next < text.size() && isspace(static_cast<unsigned char>(text[next]))) ++next;
        if (word && next < text.size() && (isalnum(static_cast<unsigned char>(text[next])) || text[next] == '_')) result += ' ';
        i = next - 1;
    }
    return result;
}

void name_function(ihipModuleSymbol_t& f) {
    f.names.push_back(without_spaces(f.kernel.name));
    Dl_info info;
    if (!dladdr(f.kernel.address, &info) || !info.dli_sname || info.dli_saddr != f.kernel.address) return;
    f.names.emplace_back(info.dli_sname);
    int status = 0;
    char* readable = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    if (status == 0 && readable) {
        std::string text = readable;
        f.names.push_back(without_spaces(text));
        // `void ns::k<float>(float*)`: the name alone, without the result and the parameters.
        int depth = 0;
        size_t end = text.size();
        for (size_t i = text.size(); i-- > 0;) {
            if (text[i] == ')') ++depth;
            if (text[i] == '(' && --depth == 0) {
                end = i;
                break;
            }
        }
        text.resize(end);
        if (text.compare(0, 5, "void ") == 0) text.erase(0, 5);
        f.names.push_back(without_spaces(text));
    }
    free(readable);
}

hipError_t open_module(hipModule_t* module, const char* file, int descriptor) {
    *module = nullptr;
    void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "hipcpu: cannot load a module: %s\n", dlerror());
        return report(hipErrorSharedObjectInitFailed);
    }
    const auto* lists = static_cast<const Module*>(dlsym(handle, "hipcpu_module"));
    if (!lists || lists->abi != abi_version) {
        fprintf(stderr, "hipcpu: `%s` is not a module of this runtime: build it with hipify_py.cpu.build\n", file);
        dlclose(handle);
        return report(hipErrorInvalidImage);
    }
    auto own = std::make_unique<ihipModule_t>();
    own->handle = handle;
    own->file = descriptor;
    own->module = lists;
    for (const Kernel* k = lists->kernels; k; k = k->next) {
        auto f = std::make_unique<ihipModuleSymbol_t>();
        f->kernel = *k;
        f->module = lists;
        name_function(*f);
        own->functions.push_back(std::move(f));
    }
    std::lock_guard<std::mutex> lock(module_mutex());
    *module = own.release();
    modules()[*module] = true;
    return hipSuccess;
}

hipError_t open_copy(hipModule_t* module, const void* image, size_t size) {
    const int descriptor = memfd_create("hipcpu-module", MFD_CLOEXEC);
    if (descriptor < 0) return report(hipErrorOperatingSystem);
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(descriptor, static_cast<const char*>(image) + done, size - done);
        if (n <= 0) {
            close(descriptor);
            return report(hipErrorOutOfMemory);
        }
        done += static_cast<size_t>(n);
    }
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    const hipError_t error = open_module(module, name, descriptor);
    if (error != hipSuccess) close(descriptor);
    return error;
}

#if defined(__x86_64__)
constexpr int this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int this_machine = EM_AARCH64;
#else
constexpr int this_machine = EM_NONE;
#endif

//: hipErrorNoBinaryForGpu for a code object of a real GPU.
hipError_t check_image(const void* image) {
    const auto* elf = static_cast<const Elf64_Ehdr*>(image);
    if (memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0) {
        const bool bundle = memcmp(image, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0 || memcmp(image, "CCOB", 4) == 0;
        fprintf(stderr, "hipcpu: this is %s\n",
                bundle ? "a code object for a GPU: the CPU device wants a module of hipify_py.cpu.build" : "no code object");
        return bundle ? hipErrorNoBinaryForGpu : hipErrorInvalidImage;
    }
    if (elf->e_machine != this_machine) {
        fprintf(stderr, "hipcpu: this is a code object for a GPU: the CPU device wants a module of hipify_py.cpu.build\n");
        return hipErrorNoBinaryForGpu;
    }
    return hipSuccess;
}

hipError_t launch(const Kernel& kernel, const Module* module, dim3 grid, dim3 block, void** arguments, size_t shared,
                  hipStream_t stream, bool cooperative, int dynamic_limit) {
    const uint64_t threads = uint64_t{block.x} * block.y * block.z;
    if (!grid.x || !grid.y || !grid.z || !threads || threads > max_threads) return report(hipErrorInvalidConfiguration);
    if (shared > static_cast<size_t>(dynamic_limit) || shared > max_shared) return report(hipErrorInvalidConfiguration);
    const uint32_t wave = module ? module->wave : default_wave();
    if (cooperative) {
        const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
        if (blocks * threads > uint64_t{worker_count()} * 2048 * 4) return report(hipErrorCooperativeLaunchTooLarge);
    }
    if (kernel.count && !arguments) return report(hipErrorInvalidValue);
    // The caller may change its variables once the launch has returned; a captured launch runs much later.
    auto values = std::make_shared<std::vector<unsigned char>>();
    values->resize(kernel.total + 16 * static_cast<size_t>(kernel.count) + 16);
    std::vector<size_t> places;
    size_t at = 0;
    for (int i = 0; i < kernel.count; ++i) {
        if (!arguments[i]) return report(hipErrorInvalidValue);
        at = (at + 15) / 16 * 16;
        if (at + kernel.sizes[i] + 16 > values->size()) values->resize(at + kernel.sizes[i] + 64);
        memcpy(values->data() + at, arguments[i], kernel.sizes[i]);
        places.push_back(at);
        at += kernel.sizes[i];
    }
    const Kernel own = kernel;
    return submit(stream, [=] {
        std::vector<void*> pointers;
        unsigned char* base = values->data();
        for (const size_t place : places) pointers.push_back(base + place);
        Request request{own.name, own.run, pointers.data(), grid, block, shared, module, wave, cooperative};
        return report_launch(run_launch(request));
    });
}

//: The two forms of arguments: a pointer for each, or one packed buffer.
hipError_t launch_function(hipFunction_t f, dim3 grid, dim3 block, size_t shared, hipStream_t stream, void** arguments,
                           void** extra, bool cooperative) {
    if (!f) return report(hipErrorInvalidHandle);
    std::vector<void*> pointers;
    if (!arguments && extra) {
        char* buffer = nullptr;
        size_t size = 0;
        for (void** e = extra; *e != HIP_LAUNCH_PARAM_END; e += 2) {
            if (*e == HIP_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(e[1]);
            else if (*e == HIP_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<size_t*>(e[1]);
            else return report(hipErrorInvalidValue);
        }
        if (!buffer && f->kernel.count) return report(hipErrorInvalidValue);
        if (size < f->kernel.total) {
            fprintf(stderr, "hipcpu: kernel %s: the argument buffer has %zu bytes, the parameters need %u\n", f->kernel.name,
                    size, f->kernel.total);
            return report(hipErrorInvalidValue);
        }
        for (int i = 0; i < f->kernel.count; ++i) pointers.push_back(buffer + f->kernel.offsets[i]);
        arguments = pointers.data();
    }
    return launch(f->kernel, f->module, grid, block, arguments, shared, stream, cooperative, f->dynamic_limit);
}

int blocks_per_processor(int block, size_t shared) {
    if (block <= 0 || block > static_cast<int>(max_threads) || shared > max_shared) return 0;
    const int by_threads = 2048 / block;
    const int by_shared = shared ? static_cast<int>(max_shared / shared) : 32;
    const int all = by_threads < by_shared ? by_threads : by_shared;
    return all < 32 ? all : 32;
}

hipError_t potential(int* grid, int* block, size_t shared, int limit) {
    if (!grid || !block) return report(hipErrorInvalidValue);
    *block = limit > 0 && limit < static_cast<int>(max_threads) ? limit : static_cast<int>(max_threads);
    *grid = blocks_per_processor(*block, shared) * static_cast<int>(worker_count());
    return hipSuccess;
}

}  // namespace

namespace hipcpu {

bool symbol_of(const void* address, Symbol& symbol) {
    std::lock_guard<std::mutex> lock(module_mutex());
    const auto* p = static_cast<const unsigned char*>(address);
    for (const auto& entry : registry()) {
        for (const Symbol* s = entry.first->symbols; s; s = s->next) {
            const auto* at = static_cast<const unsigned char*>(s->address);
            if (p >= at && p < at + s->size) {
                symbol = *s;
                return true;
            }
        }
    }
    return false;
}

ihipModuleSymbol_t* function_of(const void* kernel) {
    std::lock_guard<std::mutex> lock(module_mutex());
    for (auto& entry : registry()) {
        for (const Kernel* k = entry.first->kernels; k; k = k->next) {
            if (k->address != kernel) continue;
            auto& function = entry.second[kernel];
            if (!function) {
                function = std::make_unique<ihipModuleSymbol_t>();
                function->kernel = *k;
                function->module = entry.first;
            }
            return function.get();
        }
    }
    return nullptr;
}

}  // namespace hipcpu

hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
    if (!module || !file) return report(hipErrorInvalidValue);
    *module = nullptr;
    const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0 || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        if (descriptor >= 0) close(descriptor);
        return report(hipErrorFileNotFound);
    }
    const auto size = static_cast<size_t>(info.st_size);
    if (size < sizeof(Elf64_Ehdr)) {
        close(descriptor);
        return report(hipErrorInvalidImage);
    }
    void* image = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (image == MAP_FAILED) return report(hipErrorOutOfMemory);
    hipError_t error = check_image(image);
    if (error == hipSuccess) {
        // A second load gives a second set of variables, as a GPU does: dlopen would return the first.
        const std::string path = strchr(file, '/') ? file : std::string("./") + file;
        void* again = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        error = again ? open_copy(module, image, size) : open_module(module, path.c_str(), -1);
        if (again) dlclose(again);
    }
    munmap(image, size);
    return report(error);
}
hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
    if (!module || !image) return report(hipErrorInvalidValue);
    *module = nullptr;
    const hipError_t error = check_image(image);
    if (error != hipSuccess) return report(error);
    const auto* elf = static_cast<const Elf64_Ehdr*>(image);
    return open_copy(module, image, elf->e_shoff + size_t{elf->e_shnum} * elf->e_shentsize);
}
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int, hipJitOption*, void**) {
    return hipModuleLoadData(module, image);
}
hipError_t hipModuleLoadFatBinary(hipModule_t* module, const void* image) { return hipModuleLoadData(module, image); }
hipError_t hipModuleUnload(hipModule_t module) {
    {
        std::lock_guard<std::mutex> lock(module_mutex());
        if (!modules().erase(module)) return report(hipErrorInvalidHandle);
    }
    dlclose(module->handle);
    if (module->file >= 0) close(module->file);
    delete module;
    return hipSuccess;
}
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
    if (!function || !name) return report(hipErrorInvalidValue);
    *function = nullptr;
    if (!module) return report(hipErrorInvalidHandle);
    const std::string wanted = without_spaces(name);
    for (const auto& f : module->functions)
        for (const std::string& own : f->names)
            if (own == wanted || own == name) {
                *function = f.get();
                return hipSuccess;
            }
    return report(hipErrorNotFound);
}
hipError_t hipModuleGetFunctionCount(unsigned int* count, hipModule_t module) {
    if (!count || !module) return report(hipErrorInvalidValue);
    *count = static_cast<unsigned>(module->functions.size());
    return hipSuccess;
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t* pointer, size_t* size, hipModule_t module, const char* name) {
    if (!name || !module) return report(hipErrorInvalidValue);
    for (const Symbol* s = module->module->symbols; s; s = s->next) {
        bool same = strcmp(s->name, name) == 0;
        Dl_info info;
        if (!same && dladdr(s->address, &info) && info.dli_sname && info.dli_saddr == s->address)
            same = strcmp(info.dli_sname, name) == 0;
        if (!same) continue;
        if (pointer) *pointer = s->address;
        if (size) *size = s->size;
        return hipSuccess;
    }
    return report(hipErrorNotFound);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                 unsigned shared, hipStream_t stream, void** arguments, void** extra) {
    return launch_function(f, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, arguments, extra, false);
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                            unsigned bz, unsigned shared, hipStream_t stream, void** arguments) {
    return launch_function(f, dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, arguments, nullptr, true);
}
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* list, unsigned int count, unsigned int) {
    if (!list || count != 1) return report(hipErrorInvalidValue);
    return hipModuleLaunchCooperativeKernel(list->function, list->gridDimX, list->gridDimY, list->gridDimZ, list->blockDimX,
                                            list->blockDimY, list->blockDimZ, list->sharedMemBytes, list->hStream, list->kernelParams);
}
hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, hipStream_t stream) {
    ihipModuleSymbol_t* f = function_of(kernel);
    return f ? launch_function(f, grid, block, shared, stream, arguments, nullptr, false) : report(hipErrorInvalidDeviceFunction);
}
hipError_t hipExtLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, hipStream_t stream,
                              hipEvent_t start, hipEvent_t stop, int) {
    if (start) hipEventRecord(start, stream);
    const hipError_t error = hipLaunchKernel(kernel, grid, block, arguments, shared, stream);
    if (stop) hipEventRecord(stop, stream);
    return error;
}
hipError_t hipLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, unsigned int shared,
                                      hipStream_t stream) {
    ihipModuleSymbol_t* f = function_of(kernel);
    return f ? launch_function(f, grid, block, shared, stream, arguments, nullptr, true) : report(hipErrorInvalidDeviceFunction);
}
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* list, int count, unsigned int) {
    if (!list || count != 1) return report(hipErrorInvalidValue);
    return hipLaunchCooperativeKernel(list->func, list->gridDim, list->blockDim, list->args,
                                      static_cast<unsigned>(list->sharedMem), list->stream);
}
hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
    if (!function) return report(hipErrorInvalidValue);
    *function = function_of(symbol);
    return *function ? hipSuccess : report(hipErrorInvalidDeviceFunction);
}
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t f) {
    if (!value || !f) return report(hipErrorInvalidValue);
    switch (attribute) {
        case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = max_threads; break;
        case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(f->module->shared_size); break;
        case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = f->dynamic_limit; break;
        default: *value = 0;
    }
    return hipSuccess;
}
hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* kernel) {
    if (!attributes) return report(hipErrorInvalidValue);
    ihipModuleSymbol_t* f = function_of(kernel);
    if (!f) return report(hipErrorInvalidDeviceFunction);
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = max_threads;
    attributes->maxDynamicSharedSizeBytes = f->dynamic_limit;
    attributes->sharedSizeBytes = f->module->shared_size;
    return hipSuccess;
}
hipError_t hipFuncSetAttribute(const void* kernel, hipFuncAttribute attribute, int value) {
    ihipModuleSymbol_t* f = function_of(kernel);
    if (!f) return report(hipErrorInvalidDeviceFunction);
    if (attribute == hipFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || value > static_cast<int>(max_shared)) return report(hipErrorInvalidValue);
        f->dynamic_limit = value;
    }
    return hipSuccess;
}
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) { return hipSuccess; }
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) { return hipSuccess; }
const char* hipKernelNameRef(const hipFunction_t f) { return f ? f->kernel.name : nullptr; }
const char* hipKernelNameRefByPtr(const void* kernel, hipStream_t) { return hipKernelNameRef(function_of(kernel)); }

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t, size_t shared, int limit) {
    return potential(grid, block, shared, limit);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t, size_t shared, int limit, unsigned int) {
    return potential(grid, block, shared, limit);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t, int block, size_t shared) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, nullptr, block, shared);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t, int block, size_t shared, unsigned int) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, nullptr, block, shared);
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int block, size_t shared) {
    if (!blocks || block <= 0) return report(hipErrorInvalidValue);
    *blocks = blocks_per_processor(block, shared);
    return hipSuccess;
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block, size_t shared, unsigned int) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void*, size_t shared, int limit) {
    return potential(grid, block, shared, limit);
}
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* size, const void*, int blocks, int) {
    if (!size || blocks <= 0) return report(hipErrorInvalidValue);
    *size = max_shared / static_cast<size_t>(blocks);
    return hipSuccess;
}

void hipcpu_launch(const void* kernel, Runner runner, dim3 grid, dim3 block, void** arguments, size_t shared, void* stream,
                   const Module* module) {
    if (ihipModuleSymbol_t* f = function_of(kernel)) {
        launch_function(f, grid, block, shared, static_cast<hipStream_t>(stream), arguments, nullptr, false);
        return;
    }
    // An instance of a template that no table names: its runner takes the kernel's address as one more argument.
    const uint64_t threads = uint64_t{block.x} * block.y * block.z;
    if (!grid.x || !grid.y || !grid.z || !threads || threads > max_threads || shared > max_shared) {
        report(hipErrorInvalidConfiguration);
        return;
    }
    Request request{"(template)", runner, arguments, grid, block, shared, module, module->wave, false};
    report_launch(run_launch(request));
}
void hipcpu_register(const Module* module) {
    std::lock_guard<std::mutex> lock(module_mutex());
    registry()[module];
}
void hipcpu_unregister(const Module* module) {
    std::lock_guard<std::mutex> lock(module_mutex());
    registry().erase(module);
}
