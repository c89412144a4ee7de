// The language of CUDA and HIP as far as libclang needs it to build a tree: declarations only, nothing is ever run.
// Everything of ours begins with __hipify_; sections.h and stubs.py add what the source at hand names.
#pragma clang system_header
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned char u_char;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef struct __hipify_FILE FILE;
#define NULL 0
extern FILE *stdin, *stdout, *stderr;
#ifdef __cplusplus
#define __hipify_hd __attribute__((host)) __attribute__((device))
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __builtin_align__(...) __attribute__((aligned(__VA_ARGS__)))
#define assert(...) ((void)(__VA_ARGS__))
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __hipify_hd constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  __hipify_hd constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __hipify_hd operator uint3() const;
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;
struct __hipify_stream;
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
extern "C" int hipConfigureCall(dim3, dim3, size_t = 0, void * = 0);
extern "C" unsigned __hipPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
// Stands in for whatever we have no type for.
struct __hipify_any {
  __hipify_any() = default;
  template <class T, class... A> __hipify_hd constexpr __hipify_any(T &&, A &&...) {}
  template <class T> __hipify_hd constexpr operator T() const { return T(); }
  template <class T> __hipify_hd __hipify_any &operator[](T &&) const;
  template <class... A> __hipify_hd __hipify_any operator()(A &&...) const;
  template <class T> __hipify_hd __hipify_any &operator=(T &&);
  template <class T> __hipify_hd __hipify_any &operator+=(T &&);
  template <class T> __hipify_hd __hipify_any &operator-=(T &&);
  template <class T> __hipify_hd __hipify_any &operator*=(T &&);
  template <class T> __hipify_hd __hipify_any &operator|=(T &&);
  __hipify_hd __hipify_any operator++(int);
  __hipify_hd __hipify_any &operator++();
  __hipify_hd __hipify_any operator-() const;
  __hipify_hd __hipify_any &operator*() const;
  // Friends that only an argument of this type finds: it is constructible from everything.
#define __hipify_operator(R, O) \
  template <class T> __hipify_hd friend constexpr R operator O(const __hipify_any &, const T &) { return R(); } \
  template <class T> __hipify_hd friend constexpr R operator O(const T &, const __hipify_any &) { return R(); } \
  __hipify_hd friend constexpr R operator O(const __hipify_any &, const __hipify_any &) { return R(); }
  __hipify_operator(__hipify_any, +) __hipify_operator(__hipify_any, -) __hipify_operator(__hipify_any, *)
  __hipify_operator(__hipify_any, /) __hipify_operator(__hipify_any, %) __hipify_operator(__hipify_any, &)
  __hipify_operator(__hipify_any, |) __hipify_operator(__hipify_any, ^)
  __hipify_operator(__hipify_any, <<) __hipify_operator(__hipify_any, >>)
  __hipify_operator(bool, ==) __hipify_operator(bool, !=) __hipify_operator(bool, <) __hipify_operator(bool, >)
  __hipify_operator(bool, <=) __hipify_operator(bool, >=)
};
// Half and bfloat16: they count like float.
#define __hipify_number(N) struct N { \
  N() = default; \
  template <class T> __hipify_hd constexpr N(const T &) {} \
  __hipify_hd constexpr operator float() const { return 0; } \
  template <class T> __hipify_hd N &operator+=(const T &); \
  template <class T> __hipify_hd N &operator-=(const T &); \
  template <class T> __hipify_hd N &operator*=(const T &); \
  template <class T> __hipify_hd N &operator/=(const T &); };
#define __hipify_enum(N) struct N { \
  int __hipify_value; \
  N() = default; \
  __hipify_hd constexpr N(int v) : __hipify_value(v) {} \
  __hipify_hd constexpr operator int() const { return __hipify_value; } };
#define __hipify_record(N) struct N : __hipify_members { \
  N() = default; \
  template <class T, class... A> __hipify_hd constexpr N(T &&, A &&...) {} \
  __hipify_hd constexpr operator int() const { return 0; } };
template <class T> struct __hipify_real { typedef double type; };
template <> struct __hipify_real<float> { typedef float type; };
void *operator new(size_t, void *) noexcept;
#else
#define __global__
#define __device__
#define __host__
#define __inline__ inline
#define assert(...) ((void)(__VA_ARGS__))
typedef _Bool __hipify_bool;
typedef struct { unsigned x, y, z; } uint3;
typedef struct { unsigned x, y, z; } dim3;
#endif
