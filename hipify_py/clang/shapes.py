"""What a CUDA name looks like as a declaration: decided by its kind and its spelling, in tables."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache


class Shape(Enum):
    """The forms a type takes in a stub."""

    HANDLE = "handle"      #: a pointer to something unknown
    NUMBER = "number"      #: an unsigned long long
    POINTER = "pointer"    #: a void *
    INTEGER = "integer"
    VALUE = "value"        #: an enumeration: convertible from and to int
    RECORD = "record"      #: a struct: constructible from anything, with each member that the source names
    TAG = "tag"            #: only declared


_LIBRARY = r"cu(?:blas|blasLt|blasXt|sparse|solver|solverDn|solverSp|solverRf|solverMg|dnn|fft|rand|tensor)"
#: First what HIP's own names are where they differ from CUDA's, then CUDA's.
_TYPES: tuple[tuple[str, Shape], ...] = (
    (r"hipDeviceptr_t", Shape.POINTER),
    (r"CU\w+_st", Shape.TAG),
    (r"CUdevice|cufftHandle|CUdevice_v1|cudaGraphDeviceNode_t", Shape.INTEGER),
    (r"CUdeviceptr\w*|CU(?:tex|surf)Object\w*|cuda(?:Texture|Surface)Object_t|cudaGraphConditionalHandle", Shape.NUMBER),
    (r"CU(?:context|module|function|stream|event|array|texref|surfref|mipmappedArray|graph|graphNode|graphExec|library|"
     r"kernel|linkState|memoryPool|userObject|graphicsResource|externalMemory|externalSemaphore|greenCtx)", Shape.HANDLE),
    (r"cuda(?:Stream|Event|Array|Graph|GraphExec|GraphNode|MemPool|UserObject|Function|Kernel|Library|MipmappedArray|"
     r"ExternalMemory|ExternalSemaphore|GraphicsResource|AsyncCallbackHandle)(?:_const)?_t", Shape.HANDLE),
    (_LIBRARY + r"\w*(?:Handle|Descr|Descriptor|Info|Generator|Context|Plan|Contents|Params)_t", Shape.HANDLE),
    (r"nvrtcProgram|nvJitLinkHandle|cufftXtCallback\w*", Shape.HANDLE),
    (r"cuda(?:Pointer|Func|Launch|AccessPolicy|Ipc|Memcpy|Resource|Texture|Channel|Mem[A-Z]|ExternalMemory|"
     r"ExternalSemaphore|Graph|Kernel|Host|Memset|Stream\w*Attr|UUID)\w*(?:Attributes|Params?|Parms|Desc|Handle_t|Props|"
     r"Config_t|Value|Window|Location|Data|Node\w*|_st)", Shape.RECORD),
    (r"CU(?:result|memorytype|computemode|filter_mode|address_mode|array_format|sharedconfig)(?:_enum)?|cudaError_enum|"
     r"CU[a-z]+(?:_attribute|_option|_flags|_type|_mode|_target)(?:_enum)?", Shape.VALUE),
    (r"CUDA_\w+|curandState\w*|curandDirection\w*", Shape.RECORD),
    (r"\w*(?:Status|Result|Error|Type|Mode|Kind|Flags?|Attr|Attribute|Operation|Algo|Policy|Fill|Order|Side|Diag|Base|"
     r"Limit|Config|Cache|Format|Action|Layout|Op|Math|Direction|Bias|Pref|Advise|Alg)(?:_v2)?(?:_t|_enum)?", Shape.VALUE),
)

#: What a function returns: the status of its library, unless its name says more.
_RETURNS: tuple[tuple[str, str], ...] = (
    (r"cu(?:da|blas|fft|rand|sparse|solver|dnn)?\w*Get(?:Error|Status)(?:String|Name)|cu\w+GetErrorString|nvrtcGetErrorString|"
     r"cublasGetStatus(?:String|Name)|cudnnGetErrorString|_cudaGetErrorEnum", "const char *"),
    (r"cudnnGet(?:Cuda|Cudart)?Version|cudnnGetVersion", "size_t"),
    (r"cuC(?:real|imag|abs)f?", "double"),
    (r"make_cu\w+|cuC\w+|make_half\w*", "__hipify_any"),
    (r"nvtx\w+", "int"),
    (r"cublas(?:Xt|Lt)?[A-Z]\w*", "cublasStatus_t"),
    (r"cufft\w+", "cufftResult"),
    (r"curand[A-Z]\w*", "curandStatus_t"),
    (r"cusparse\w+", "cusparseStatus_t"),
    (r"cusolver\w+", "cusolverStatus_t"),
    (r"cudnn\w+", "cudnnStatus_t"),
    (r"nvrtc\w+", "nvrtcResult"),
    (r"cuda[A-Z]\w*", "cudaError_t"),
    (r"cu[A-Z]\w*", "CUresult"),
)

#: How a device function is declared, ``{}`` being its name. The first that fits.
_ANY_ARGUMENTS = "template <class... A> __hipify_hd "
_DEVICE: tuple[tuple[str, str], ...] = (
    (r"__syncthreads_(?:count|and|or)|__(?:any|all)\w*|__popcl*|__clzl*|__ffsl*|__float2int_\w+|__double2int_\w+|"
     r"__float_as_int|__half2int\w*|__dp4a|__mul24|__mulhi|__fns|is(?:nan|inf|finite)|__is\w+|signbit|__dp2a_\w+",
     _ANY_ARGUMENTS + "int {}(A &&...);"),
    (r"__ballot\w*|__activemask|__brev|__float2uint_\w+|__float_as_uint|__umul24|__umulhi|__byte_perm|__match_\w+|curand|"
     r"__lane\w*|__reduce_\w+|__funnelshift_\w+|__v\w+[24]|__nvvm\w+|__isShared|__double2uint_\w+|__bfind\w*|"
     r"__reduce_\w+_sync|__cvta_generic_to_shared", _ANY_ARGUMENTS + "unsigned {}(A &&...);"),
    (r"clock|clock64|wall_clock64|__clock|globaltimer|__double_as_longlong|__double2ll_\w+|__float2ll_\w+|__mul64hi",
     _ANY_ARGUMENTS + "long long {}(A &&...);"),
    (r"__brevll|__umul64hi|__double2ull_\w+|__float2ull_\w+", _ANY_ARGUMENTS + "unsigned long long {}(A &&...);"),
    (r"__syncthreads|__syncwarp|__threadfence\w*|__trap|__nanosleep|__prof_trigger|__brkpt|sincos\w*|__sincosf|__stwt|"
     r"__st\w\w|__pipeline_\w+|curand_init|skipahead\w*|__assert_fail|surf\w+write|__assume|__unreachable",
     _ANY_ARGUMENTS + "void {}(A &&...);"),
    (r"atomic\w+", "template <class T, class... A> __hipify_hd T {}(T *, A &&...);"),
    (r"__ld\w+", "template <class T> __hipify_hd T {}(const T *);"),
    (r"__shfl\w*_sync|__match_a\w+_sync", "template <class M, class T, class... A> __hipify_hd T {}(M, T, A &&...);"),
    (r"__shfl\w*", "template <class T, class... A> __hipify_hd T {}(T, A &&...);"),
    (r"curand_(?:uniform|normal|log_normal)|__int_as_float|__uint_as_float|__half2float|__bfloat162float|__int2float_\w+|"
     r"__uint2float_\w+|__ll2float_\w+|__ull2float_\w+|__double2float_\w+|__low2float|__high2float|__fdividef?|__f\w+_r[nzud]|__frsqrt_rn|"
     r"__(?:exp|log|log2|log10|exp10|sin|cos|tan|pow)f|__saturatef|normcdff?|erfcxf|erfinvf|rcbrtf|cospif|sinpif|norm\w*f|rnorm\w*f|"
     r"rhypotf|cyl_\w+f|[jy][01n]f", _ANY_ARGUMENTS + "float {}(A &&...);"),
    (r"curand_\w+_double|__longlong_as_double|__int2double_\w+|__uint2double_\w+|__hiloint2double|__ll2double_\w+|__ull2double_\w+|"
     r"__d\w+_r[nzud]|normcdf|erfcx|erfinv|rcbrt|cospi|sinpi|rnorm\w*|norm\w*d?|[jy][01n]",
     _ANY_ARGUMENTS + "double {}(A &&...);"),
    (r"__(?:float|double|int|uint|ushort|short|float22?|floats|low|high|half|halves)2half\w*",
     _ANY_ARGUMENTS + "__hipify_any {}(A &&...);"),
    (r"min|max|abs|labs|llabs|umin|umax|llmin|llmax|ullmin|ullmax|__h\w+|h(?:sqrt|exp|log|sin|cos|rcp|rsqrt|floor|ceil|rint|trunc)\w*|h2\w+|"
     r"fabs|fmin|fmax|__usad|__sad|__hadd|__rhadd|__uhadd|__urhadd",
     "template <class T, class... A> __hipify_hd T {}(T, A &&...);"),
)
_DEVICE_DEFAULT = _ANY_ARGUMENTS + "__hipify_any {}(A &&...);"

#: How many arguments a well-known function takes: a dropped or an added one is to be seen. Names with defaulted
#: arguments (cudaMemcpyAsync's stream) have their smallest and their largest number.
_ARITIES: dict[str, tuple[int, int]] = {
    "cudaMalloc": (2, 2), "cudaFree": (1, 1), "cudaMemcpy": (4, 4), "cudaMemcpyAsync": (4, 5), "cudaMemset": (3, 3),
    "cudaMemsetAsync": (3, 4), "cudaHostAlloc": (3, 3), "cudaFreeHost": (1, 1), "cudaMallocHost": (2, 3),
    "cudaMallocManaged": (2, 3), "cudaDeviceSynchronize": (0, 0), "cudaDeviceReset": (0, 0), "cudaSetDevice": (1, 1),
    "cudaGetDevice": (1, 1), "cudaGetDeviceCount": (1, 1), "cudaGetDeviceProperties": (2, 2), "cudaGetLastError": (0, 0),
    "cudaPeekAtLastError": (0, 0), "cudaGetErrorString": (1, 1), "cudaGetErrorName": (1, 1), "cudaStreamCreate": (1, 1),
    "cudaStreamDestroy": (1, 1), "cudaStreamSynchronize": (1, 1), "cudaStreamQuery": (1, 1), "cudaStreamWaitEvent": (2, 3),
    "cudaEventCreate": (1, 2), "cudaEventCreateWithFlags": (2, 2), "cudaEventDestroy": (1, 1), "cudaEventRecord": (1, 2),
    "cudaEventSynchronize": (1, 1), "cudaEventQuery": (1, 1), "cudaEventElapsedTime": (3, 3), "cudaMemGetInfo": (2, 2),
    "cudaMemcpyToSymbol": (3, 5), "cudaMemcpyFromSymbol": (3, 5), "cudaMallocPitch": (4, 4), "cudaMemcpy2D": (7, 7),
    "cudaDeviceGetAttribute": (3, 3), "cudaThreadSynchronize": (0, 0), "cudaDriverGetVersion": (1, 1),
}


@cache
def _compiled(pairs: tuple[tuple[str, object], ...]) -> tuple[tuple[re.Pattern[str], object], ...]:
    return tuple((re.compile(pattern), value) for pattern, value in pairs)


def _first(pairs: tuple[tuple[str, object], ...], name: str, default: object) -> object:
    return next((value for pattern, value in _compiled(pairs) if pattern.fullmatch(name)), default)


@cache
def type_shape(name: str) -> Shape:
    """The form of a type, by its spelling on the side that declares it."""
    shape = _first(_TYPES, name, Shape.RECORD)
    assert isinstance(shape, Shape)
    return shape


@cache
def status_type(name: str) -> str:
    """What a function of a CUDA library returns."""
    return str(_first(_RETURNS, name, "__hipify_any"))


@cache
def device_declaration(name: str) -> str:
    """The declaration of a device function; ``{}`` stands for its name."""
    return str(_first(_DEVICE, name, _DEVICE_DEFAULT))


def parameters(name: str) -> tuple[str, str]:
    """The template parameters and the parameters of a library function, without brackets."""
    least, most = _ARITIES.get(name, (0, -1))
    if most < 0:
        return "class... A", "A &&..."
    letters = [f"A{number}" for number in range(most)]
    template = ", ".join(f"class {letter}" + (" = int" if number >= least else "") for number, letter in enumerate(letters))
    plain = ", ".join(f"{letter} &&" if number < least else f"const {letter} & = {letter}()"
                      for number, letter in enumerate(letters))
    return template, plain


def macro_value(name: str) -> str:
    """What an object-like macro stands for."""
    return _MACROS.get(name) or next((value for pattern, value in _MACRO_LOOKS if re.fullmatch(pattern, name)), "0")


_MACROS = {"CUDART_VERSION": "12040", "CUDA_VERSION": "12040", "CUDNN_VERSION": "90000", "CUDNN_MAJOR": "9",
           "CUBLAS_VERSION": "120400", "CUFFT_VERSION": "11200", "THRUST_VERSION": "200400", "CUB_VERSION": "200400",
           "CUSPARSE_VERSION": "12300", "HIP_VERSION": "60400000"}
_MACRO_LOOKS = ((r"CUDART_CB|CUDAAPI|CUDARTAPI|CUB_RUNTIME_FUNCTION|CUDA_CB|NVTX_DECLSPEC|CUB_NAMESPACE_\w+", " "),
                (r"CUDART_\w+_F", "1.0f"), (r"CUDART_\w*(?:VERSION|MAJOR|MINOR)\w*", "12"), (r"CUDART_\w+", "1.0"))
