// libhiprtc.so: compiles by calling the builder, `python -m hipify_py.cpu.rtc`.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#ifndef HIPCPU_PYTHON
#define HIPCPU_PYTHON "python3"
#define HIPCPU_PACKAGE "."
#endif

extern "C" char** environ;

namespace {

enum Result { success = 0, out_of_memory = 1, invalid_input = 3, invalid_program = 4, invalid_option = 5, compilation = 6,
              not_supported = 11, name_not_valid = 10 };

struct Program {
    std::string source, name, code, log;
    std::vector<std::pair<std::string, std::string>> headers;  // name, text
    std::vector<std::string> expressions;
    bool compiled = false;
};

std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool write_all(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    return file.good();
}

//: Runs the builder; its exit status. What it prints goes to two files.
int run(std::vector<std::string> words, const std::string& out, const std::string& err) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(&word[0]);
    arguments.push_back(nullptr);
    // The builder must not be run under the sanitizer that the caller was.
    std::vector<std::string> variables;
    for (char** e = environ; *e; ++e)
        if (strncmp(*e, "LD_PRELOAD=", 11) != 0 && strncmp(*e, "PYTHONPATH=", 11) != 0) variables.emplace_back(*e);
    const char* path = getenv("PYTHONPATH");
    variables.push_back(std::string("PYTHONPATH=" HIPCPU_PACKAGE) + (path ? std::string(":") + path : ""));
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(&variable[0]);
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), 01 | 0100 | 01000, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), 01 | 0100 | 01000, 0600);
    pid_t child = 0;
    const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return 127;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

//: A folder that goes away with everything in it.
struct Scratch {
    std::string path;
    std::vector<std::string> files;
    Scratch() {
        const char* base = getenv("TMPDIR");
        path = std::string(base ? base : "/tmp") + "/hiprtc-XXXXXX";
        if (!mkdtemp(&path[0])) path.clear();
    }
    std::string file(const std::string& name) {
        files.push_back(path + "/" + name);
        return files.back();
    }
    ~Scratch() {
        for (const std::string& f : files) unlink(f.c_str());
        if (!path.empty()) rmdir(path.c_str());
    }
};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* hiprtcGetErrorString(int result) {
    switch (result) {
        case success: return "HIPRTC_SUCCESS";
        case out_of_memory: return "HIPRTC_ERROR_OUT_OF_MEMORY";
        case invalid_input: return "HIPRTC_ERROR_INVALID_INPUT";
        case invalid_program: return "HIPRTC_ERROR_INVALID_PROGRAM";
        case invalid_option: return "HIPRTC_ERROR_INVALID_OPTION";
        case compilation: return "HIPRTC_ERROR_COMPILATION";
        case name_not_valid: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
        default: return "HIPRTC_ERROR_INTERNAL_ERROR";
    }
}
int hiprtcVersion(int* major, int* minor) {
    if (!major || !minor) return invalid_input;
    *major = 9;
    *minor = 0;
    return success;
}
int hiprtcCreateProgram(Program** program, const char* source, const char* name, int count, const char** headers,
                        const char** names) {
    if (!program || !source || count < 0 || (count && (!headers || !names))) return invalid_input;
    auto* own = new Program;
    own->source = source;
    own->name = name && *name ? name : "program";
    for (int i = 0; i < count; ++i) own->headers.emplace_back(names[i], headers[i]);
    *program = own;
    return success;
}
int hiprtcDestroyProgram(Program** program) {
    if (!program || !*program) return invalid_program;
    delete *program;
    *program = nullptr;
    return success;
}
int hiprtcAddNameExpression(Program* program, const char* expression) {
    if (!program || !expression) return invalid_input;
    if (program->compiled) return 8;
    program->expressions.emplace_back(expression[0] == '&' ? expression + 1 : expression);
    return success;
}
int hiprtcGetLoweredName(Program* program, const char* expression, const char** lowered) {
    if (!program || !expression || !lowered) return invalid_input;
    if (!program->compiled) return 9;
    // The module's table knows an instance by its expression.
    for (const std::string& own : program->expressions) {
        if (own == (expression[0] == '&' ? expression + 1 : expression)) {
            *lowered = own.c_str();
            return success;
        }
    }
    return name_not_valid;
}
int hiprtcCompileProgram(Program* program, int count, const char** options) {
    if (!program) return invalid_program;
    Scratch scratch;
    if (scratch.path.empty()) return 11;
    const std::string source = scratch.file("source.hip"), out = scratch.file("out"), err = scratch.file("err");
    write_all(source, program->source);
    const char* wish = getenv("HIPIFY_PY_WAVE");
    std::vector<std::string> words = {HIPCPU_PYTHON, "-m", "hipify_py.cpu.rtc", source, wish && !strcmp(wish, "32") ? "32" : "64",
                                      "--name=" + program->name, "-I" + scratch.path};
    for (const auto& header : program->headers) write_all(scratch.file(header.first), header.second);
    for (int i = 0; i < count; ++i) words.emplace_back(options[i]);
    for (const std::string& expression : program->expressions) words.push_back("--name-expression=" + expression);
    const int status = run(words, out, err);
    program->log = read_all(err);
    program->code = status == 0 ? read_all(read_all(out)) : "";
    program->compiled = status == 0 && !program->code.empty();
    return program->compiled ? success : compilation;
}
int hiprtcGetProgramLogSize(Program* program, size_t* size) {
    if (!program || !size) return invalid_input;
    *size = program->log.size() + 1;
    return success;
}
int hiprtcGetProgramLog(Program* program, char* log) {
    if (!program || !log) return invalid_input;
    memcpy(log, program->log.c_str(), program->log.size() + 1);
    return success;
}
int hiprtcGetCodeSize(Program* program, size_t* size) {
    if (!program || !size) return invalid_input;
    if (!program->compiled) return invalid_program;
    *size = program->code.size();
    return success;
}
int hiprtcGetCode(Program* program, char* code) {
    if (!program || !code) return invalid_input;
    if (!program->compiled) return invalid_program;
    memcpy(code, program->code.data(), program->code.size());
    return success;
}

#define NOT_HERE(name)                                                                  \
    int name() {                                                                        \
        fprintf(stderr, "hipcpu: `%s` is not implemented by the CPU device\n", #name);  \
        return invalid_input;                                                           \
    }
NOT_HERE(hiprtcGetBitcode)
NOT_HERE(hiprtcGetBitcodeSize)
NOT_HERE(hiprtcLinkAddData)
NOT_HERE(hiprtcLinkAddFile)
NOT_HERE(hiprtcLinkComplete)
NOT_HERE(hiprtcLinkCreate)
NOT_HERE(hiprtcLinkDestroy)
}
#pragma GCC visibility pop
