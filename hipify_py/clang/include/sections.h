// Declarations by name: a section is taken when the source names one of the words behind `//:`, and with it those
// behind `<-`. CUDA's spellings; on the HIP side each name becomes its counterpart. The order is the order of use.
//: cudaExtent make_cudaExtent cudaMemcpy3DParms cudaMemcpy3DPeerParms
struct cudaExtent { size_t width, height, depth; };
__hipify_hd cudaExtent make_cudaExtent(size_t, size_t, size_t);
//: cudaPos make_cudaPos cudaMemcpy3DParms cudaMemcpy3DPeerParms
struct cudaPos { size_t x, y, z; };
__hipify_hd cudaPos make_cudaPos(size_t, size_t, size_t);
//: cudaPitchedPtr make_cudaPitchedPtr cudaMemcpy3DParms cudaMemcpy3DPeerParms
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
__hipify_hd cudaPitchedPtr make_cudaPitchedPtr(void *, size_t, size_t, size_t);
//: cudaChannelFormatDesc cudaCreateChannelDesc cudaChannelFormatKind textureReference texture
struct cudaChannelFormatDesc { int x, y, z, w; __hipify_any f; };
template <class T> __hipify_hd cudaChannelFormatDesc cudaCreateChannelDesc();
template <class... A> __hipify_hd cudaChannelFormatDesc cudaCreateChannelDesc(int, A &&...);
//: cudaMemcpy3DParms <- cudaArray_t
struct cudaMemcpy3DParms {
  __hipify_any srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr; __hipify_any dstArray; cudaPos dstPos; cudaPitchedPtr dstPtr;
  cudaExtent extent; __hipify_any kind;
};
//: cudaDeviceProp
struct cudaDeviceProp {
  char name[256]; char uuid[16]; char luid[8]; char gcnArchName[256]; unsigned luidDeviceNodeMask; size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize; size_t memPitch; int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem; int major, minor; size_t textureAlignment, texturePitchAlignment; int deviceOverlap,
  multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, maxTexture1D,
  maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3],
  maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2],
  maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3],
  maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2]; size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing,
  memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor,
  streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported; size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
  singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
  canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch; size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
  accessPolicyMaxWindowSize; size_t reservedSharedMemPerBlock; int hostRegisterSupported, memoryPoolsSupported,
  sparseCudaArraySupported, timelineSemaphoreInteropSupported, gpuDirectRDMASupported, clusterLaunch, unifiedFunctionPointers,
  ipcEventSupported, isLargeBar, gcnArch, maxSharedMemoryPerMultiProcessor, clockInstructionRate; __hipify_any arch;
};
//: cudaFuncAttributes
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
//: textureReference texture
struct textureReference {
  int normalized; __hipify_any filterMode; __hipify_any addressMode[3]; cudaChannelFormatDesc channelDesc; int sRGB;
  unsigned maxAnisotropy;
};
//: texture
template <class T, int = 1, int = 0> struct texture : textureReference {};
//: surface
template <class T, int = 1> struct surface {};
//: cudaStreamCallback_t CUstreamCallback
typedef void (*cudaStreamCallback_t)(__hipify_stream *, __hipify_any, void *);
typedef void (*CUstreamCallback)(__hipify_stream *, __hipify_any, void *);
//: cudaHostFn_t
typedef void (*cudaHostFn_t)(void *);
//: CUhostFn
typedef void (*CUhostFn)(void *);
//: cudaUUID_t CUuuid
struct cudaUUID_t { char bytes[16]; };
typedef cudaUUID_t CUuuid;
//: __half half
__hipify_number(__half)
typedef __half half;
//: __half2 half2
__hipify_number(__hipify_half2_number)
struct __half2 : __hipify_half2_number { using __hipify_half2_number::__hipify_half2_number; __half2() = default;
  __hipify_half2_number x, y; };
typedef __half2 half2;
//: __nv_bfloat16 nv_bfloat16 __bfloat16
__hipify_number(__nv_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
//: __nv_bfloat162 nv_bfloat162
__hipify_number(__hipify_bfloat162_number)
struct __nv_bfloat162 : __hipify_bfloat162_number { using __hipify_bfloat162_number::__hipify_bfloat162_number;
  __nv_bfloat162() = default; __hipify_bfloat162_number x, y; };
typedef __nv_bfloat162 nv_bfloat162;
//: cooperative_groups
namespace cooperative_groups {
struct thread_group {
  __hipify_hd void sync() const; __hipify_hd unsigned size() const; __hipify_hd unsigned thread_rank() const;
  __hipify_hd unsigned num_threads() const; __hipify_hd bool is_valid() const; __hipify_hd int get_type() const;
  __hipify_hd unsigned meta_group_size() const; __hipify_hd unsigned meta_group_rank() const;
  template <class T, class... A> __hipify_hd T shfl(T, A &&...) const; template <class T, class... A> __hipify_hd T shfl_down(T, A &&...) const;
  template <class T, class... A> __hipify_hd T shfl_up(T, A &&...) const; template <class T, class... A> __hipify_hd T shfl_xor(T, A &&...) const;
  __hipify_hd int any(int) const; __hipify_hd int all(int) const; __hipify_hd unsigned ballot(int) const;
  template <class T> __hipify_hd unsigned match_any(T) const; template <class T> __hipify_hd unsigned match_all(T, int &) const;
};
struct thread_block : thread_group { __hipify_hd dim3 group_index() const; __hipify_hd dim3 thread_index() const;
  __hipify_hd dim3 group_dim() const; __hipify_hd dim3 dim_threads() const; __hipify_hd static void sync(); };
struct grid_group : thread_group { __hipify_hd dim3 group_dim() const; __hipify_hd dim3 dim_blocks() const;
  __hipify_hd dim3 block_index() const; __hipify_hd unsigned block_rank() const; __hipify_hd unsigned num_blocks() const; };
struct multi_grid_group : thread_group { __hipify_hd unsigned grid_rank() const; __hipify_hd unsigned num_grids() const; };
struct coalesced_group : thread_group {};
struct cluster_group : grid_group { template <class T> __hipify_hd T *map_shared_rank(T *, int) const; };
template <unsigned N, class P = void> struct thread_block_tile : thread_group {};
template <unsigned N> struct block_tile_memory {};
template <class... A> __hipify_hd thread_block this_thread_block(A &&...);
__hipify_hd grid_group this_grid(); __hipify_hd multi_grid_group this_multi_grid(); __hipify_hd coalesced_group coalesced_threads();
__hipify_hd cluster_group this_cluster();
template <unsigned N, class P> __hipify_hd thread_block_tile<N, P> tiled_partition(const P &);
template <class P> __hipify_hd thread_group tiled_partition(const P &, unsigned);
template <class P> __hipify_hd coalesced_group binary_partition(const P &, bool);
template <class P, class T> __hipify_hd coalesced_group labeled_partition(const P &, T);
template <class... A> __hipify_hd void sync(A &&...); template <class... A> __hipify_hd void wait(A &&...);
template <class... A> __hipify_hd void memcpy_async(A &&...);
template <class G, class T, class... A> __hipify_hd T reduce(const G &, T, A &&...);
template <class G, class T, class... A> __hipify_hd T inclusive_scan(const G &, T, A &&...);
template <class G, class T, class... A> __hipify_hd T exclusive_scan(const G &, T, A &&...);
template <class T = void> struct plus { template <class... A> __hipify_hd T operator()(A...) const; };
template <class T = void> struct less { template <class... A> __hipify_hd T operator()(A...) const; };
template <class T = void> struct greater { template <class... A> __hipify_hd T operator()(A...) const; };
template <class T = void> struct bit_and {}; template <class T = void> struct bit_or {}; template <class T = void> struct bit_xor {};
}
//: cub hipcub
namespace cub {
template <class T = int> struct __hipify_temporary { struct TempStorage {}; template <class... A> __hipify_hd __hipify_temporary(A &&...); };
#define __hipify_cub(N) template <class T, int = 0, int = 0, int = 0, int = 0> struct N { \
  struct TempStorage : __hipify_any {}; template <class... A> __hipify_hd N(A &&...); \
  template <class V, class... A> __hipify_hd V Sum(V, A &&...); template <class V, class... A> __hipify_hd V Reduce(V, A &&...); \
  template <class... A> __hipify_hd void InclusiveSum(A &&...); template <class... A> __hipify_hd void ExclusiveSum(A &&...); \
  template <class... A> __hipify_hd void InclusiveScan(A &&...); template <class... A> __hipify_hd void ExclusiveScan(A &&...); \
  template <class... A> __hipify_hd void Sort(A &&...); template <class... A> __hipify_hd void SortDescending(A &&...); \
  template <class... A> __hipify_hd void SortBlockedToStriped(A &&...); template <class... A> __hipify_hd void Load(A &&...); \
  template <class... A> __hipify_hd void Store(A &&...); template <class... A> __hipify_hd void Broadcast(A &&...); };
__hipify_cub(BlockReduce) __hipify_cub(BlockScan) __hipify_cub(BlockLoad) __hipify_cub(BlockStore) __hipify_cub(WarpReduce)
__hipify_cub(WarpScan) __hipify_cub(BlockExchange) __hipify_cub(BlockHistogram)
template <class K, int = 0, int = 0, class V = void, int = 0, bool = true> struct BlockRadixSort {
  struct TempStorage : __hipify_any {}; template <class... A> __hipify_hd BlockRadixSort(A &&...);
  template <class... A> __hipify_hd void Sort(A &&...); template <class... A> __hipify_hd void SortDescending(A &&...); };
#define __hipify_device_wide(N) struct N { \
  template <class... A> static __hipify_any Sum(A &&...); template <class... A> static __hipify_any Min(A &&...); \
  template <class... A> static __hipify_any Max(A &&...); template <class... A> static __hipify_any Reduce(A &&...); \
  template <class... A> static __hipify_any ArgMin(A &&...); template <class... A> static __hipify_any ArgMax(A &&...); \
  template <class... A> static __hipify_any ReduceByKey(A &&...); template <class... A> static __hipify_any InclusiveSum(A &&...); \
  template <class... A> static __hipify_any ExclusiveSum(A &&...); template <class... A> static __hipify_any InclusiveScan(A &&...); \
  template <class... A> static __hipify_any ExclusiveScan(A &&...); template <class... A> static __hipify_any SortKeys(A &&...); \
  template <class... A> static __hipify_any SortPairs(A &&...); template <class... A> static __hipify_any SortKeysDescending(A &&...); \
  template <class... A> static __hipify_any SortPairsDescending(A &&...); template <class... A> static __hipify_any If(A &&...); \
  template <class... A> static __hipify_any Flagged(A &&...); template <class... A> static __hipify_any Unique(A &&...); \
  template <class... A> static __hipify_any Encode(A &&...); template <class... A> static __hipify_any HistogramEven(A &&...); \
  template <class... A> static __hipify_any ExclusiveSumByKey(A &&...); template <class... A> static __hipify_any CsrMV(A &&...); };
__hipify_device_wide(DeviceReduce) __hipify_device_wide(DeviceScan) __hipify_device_wide(DeviceRadixSort)
__hipify_device_wide(DeviceSelect) __hipify_device_wide(DeviceHistogram) __hipify_device_wide(DeviceRunLengthEncode)
__hipify_device_wide(DeviceSegmentedReduce) __hipify_device_wide(DeviceSegmentedRadixSort) __hipify_device_wide(DeviceMergeSort)
__hipify_device_wide(DevicePartition) __hipify_device_wide(DeviceSpmv) __hipify_device_wide(DeviceSegmentedSort)
struct Sum : __hipify_any {}; struct Min : __hipify_any {}; struct Max : __hipify_any {}; struct ArgMax : __hipify_any {};
struct ArgMin : __hipify_any {};
template <class K, class V> struct KeyValuePair { K key; V value; KeyValuePair() = default; __hipify_hd KeyValuePair(K, V); };
template <class T> struct DoubleBuffer { T *d_buffers[2]; int selector; DoubleBuffer() = default; __hipify_hd DoubleBuffer(T *, T *);
  __hipify_hd T *Current(); __hipify_hd T *Alternate(); };
struct CachingDeviceAllocator { template <class... A> CachingDeviceAllocator(A &&...); template <class... A> __hipify_any DeviceAllocate(A &&...);
  template <class... A> __hipify_any DeviceFree(A &&...); };
template <class T> struct CountingInputIterator : __hipify_any { __hipify_hd CountingInputIterator(T); };
template <class... T> struct TransformInputIterator : __hipify_any { template <class... A> __hipify_hd TransformInputIterator(A &&...); };
enum { BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_SCAN_RAKING,
  BLOCK_SCAN_WARP_SCANS, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_LOAD_DIRECT, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_STORE_DIRECT, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE };
}
//: thrust
namespace thrust {
template <class T> struct device_ptr { T *p; device_ptr() = default; template <class... A> __hipify_hd device_ptr(A &&...);
  __hipify_hd T *get() const; __hipify_hd T &operator*() const; __hipify_hd device_ptr operator+(long) const;
  __hipify_hd long operator-(const device_ptr &) const; __hipify_hd T &operator[](long) const; __hipify_hd device_ptr &operator++();
  __hipify_hd device_ptr operator++(int); template <class... A> __hipify_hd device_ptr operator-(A...) const;
  __hipify_hd operator T *() const; };
template <class T> struct device_reference { __hipify_hd operator T() const; };
template <class T> struct __hipify_vector {
  template <class... A> __hipify_vector(A &&...); device_ptr<T> begin() const; device_ptr<T> end() const; device_ptr<T> data() const;
  size_t size() const; T &operator[](size_t) const; T &back() const; T &front() const; bool empty() const;
  template <class... A> void resize(A &&...); template <class... A> void assign(A &&...); template <class... A> void insert(A &&...);
  template <class... A> void erase(A &&...); void push_back(const T &); void clear(); void reserve(size_t); void shrink_to_fit();
  void pop_back(); size_t capacity() const; template <class O> void swap(O &&); template <class O> __hipify_vector &operator=(O &&);
  device_ptr<T> cbegin() const; device_ptr<T> cend() const;
  typedef T value_type; typedef device_ptr<T> iterator; typedef device_ptr<T> pointer; };
template <class T, class = void> struct device_vector : __hipify_vector<T> { using __hipify_vector<T>::__hipify_vector;
  using __hipify_vector<T>::operator=; };
template <class T, class = void> struct host_vector : __hipify_vector<T> { using __hipify_vector<T>::__hipify_vector;
  using __hipify_vector<T>::operator=; };
template <class T> T *raw_pointer_cast(const device_ptr<T> &); template <class T> T *raw_pointer_cast(T *);
template <class T> device_ptr<T> device_pointer_cast(T *); template <class T> device_ptr<T> device_malloc(size_t);
#define __hipify_functor(N) template <class T = void> struct N { template <class... A> __hipify_hd __hipify_any operator()(A &&...) const; };
__hipify_functor(plus) __hipify_functor(minus) __hipify_functor(multiplies) __hipify_functor(divides) __hipify_functor(maximum)
__hipify_functor(minimum) __hipify_functor(less) __hipify_functor(greater) __hipify_functor(equal_to) __hipify_functor(not_equal_to)
__hipify_functor(less_equal) __hipify_functor(greater_equal) __hipify_functor(identity) __hipify_functor(negate)
__hipify_functor(square) __hipify_functor(logical_not) __hipify_functor(logical_and) __hipify_functor(logical_or) __hipify_functor(modulus)
template <class... T> struct tuple : __hipify_any { template <class... A> __hipify_hd tuple(A &&...); };
template <class A, class B> struct pair { A first; B second; pair() = default; template <class... C> __hipify_hd pair(C &&...); };
template <class A, class B> struct unary_function {}; template <class A, class B, class C> struct binary_function {};
template <class T> struct complex { template <class... A> __hipify_hd complex(A &&...); __hipify_hd T real() const; __hipify_hd T imag() const; };
#define __hipify_iterator(N) template <class... T> struct N : __hipify_any { template <class... A> __hipify_hd N(A &&...); };
__hipify_iterator(counting_iterator) __hipify_iterator(constant_iterator) __hipify_iterator(transform_iterator)
__hipify_iterator(zip_iterator) __hipify_iterator(permutation_iterator) __hipify_iterator(discard_iterator)
struct __hipify_policy { template <class... A> __hipify_policy on(A &&...) const; template <class... A> __hipify_policy operator()(A &&...) const; };
extern __hipify_policy device, host, seq;
struct device_execution_policy {}; struct system_error { const char *what() const; };
namespace cuda { extern __hipify_policy par, par_nosync; }
namespace hip { extern __hipify_policy par, par_nosync; }
namespace system { namespace cuda { extern __hipify_policy par; } }
namespace placeholders { extern __hipify_any _1, _2, _3; }
namespace random { struct default_random_engine { template <class... A> __hipify_hd default_random_engine(A &&...); template <class... A> __hipify_hd void discard(A &&...); }; 
  template <class T> struct uniform_real_distribution { template <class... A> __hipify_hd uniform_real_distribution(A &&...);
  template <class... A> __hipify_hd T operator()(A &&...); };
  template <class T> struct uniform_int_distribution : uniform_real_distribution<T> { using uniform_real_distribution<T>::uniform_real_distribution; };
  template <class T> struct normal_distribution : uniform_real_distribution<T> { using uniform_real_distribution<T>::uniform_real_distribution; };
  typedef default_random_engine minstd_rand; }
using namespace random;
template <int N, class T> __hipify_hd __hipify_any &get(T &&);
template <class... A> __hipify_hd tuple<A...> make_tuple(A...); template <class... A> __hipify_hd tuple<A &...> tie(A &...);
template <class T, class... A> T reduce(const __hipify_policy &, const T *, A &&...);
}
//: hipcub
namespace hipcub { using namespace cub; }
//: nvcuda wmma rocwmma
namespace nvcuda { namespace wmma {
struct matrix_a {}; struct matrix_b {}; struct accumulator {}; struct row_major {}; struct col_major {};
namespace precision { struct tf32 {}; struct u4 {}; struct s4 {}; struct b1 {}; }
enum layout_t { mem_row_major, mem_col_major };
template <class U, int M, int N, int K, class T, class L = void> struct fragment { __hipify_any x[16]; int num_elements; };
template <class... A> __hipify_hd void fill_fragment(A &&...); template <class... A> __hipify_hd void load_matrix_sync(A &&...);
template <class... A> __hipify_hd void store_matrix_sync(A &&...); template <class... A> __hipify_hd void mma_sync(A &&...);
template <class T> __hipify_hd float __float_to_tf32(T);
} }
//: rocwmma
namespace rocwmma { using namespace nvcuda::wmma; }
