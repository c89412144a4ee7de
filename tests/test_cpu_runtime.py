"""Every function of the runtime's table (hipcpu/functions.h), called through hip-python: one test a function."""

import ctypes
import re

import pytest

from tests.cpu.support import ENGINE, REPOSITORY, build, device, np, script

TABLE = REPOSITORY / "hipify_py" / "cpu" / "include" / "hipcpu" / "functions.h"
NAMES = re.findall(r"^(?:hipError_t|const char\*|hipChannelFormatDesc) (\w+)\(", TABLE.read_text(), re.M)
#: What hip-python calls a function of the library.
ALIASES = {"hipGetDevicePropertiesR0600": "hipGetDeviceProperties", "hipChooseDeviceR0600": "hipChooseDevice"}
H2D, D2H, D2D = 1, 2, 3
CASES = {}


def case(names):
    """The functions that a test calls; it fails when one of them was not called."""

    def keep(function):
        for name in names.split():
            assert name not in CASES, name
            CASES[name] = function
        return function

    return keep


class Calls:
    """hip-python with its errors raised, and the names of what was called."""

    def __init__(self):
        self.hip = device().hip
        self.seen = set()

    def __getattr__(self, name):
        def call(*arguments):
            self.seen.add(name)
            function = getattr(self.hip, ALIASES.get(name, name))
            code, *results = function(*arguments)
            assert int(code) == 0, (name, code)
            return None if not results else results[0] if len(results) == 1 else tuple(results)

        return call

    def fails(self, name, *arguments):
        """The name of the error that a call gives."""
        self.seen.add(name)
        answer = getattr(self.hip, ALIASES.get(name, name))(*arguments)
        code = answer[0] if isinstance(answer, tuple) else answer
        self.hip.hipGetLastError()
        return code.name

    def kind(self, number):
        return self.hip.hipMemcpyKind(number)

    def raw(self, name, *arguments):
        """A call that hip-python has no convenient form for, by ctypes."""
        self.seen.add(name)
        return getattr(library(), name)(*arguments)


def library():
    return ctypes.CDLL(str(build.build_runtime() / "lib" / "libamdhip64.so"))


@pytest.fixture
def hip():
    return Calls()


def test_the_table_is_long_enough_and_complete(hip):
    assert len(NAMES) == len(set(NAMES)) >= 120
    assert set(NAMES) == set(CASES)
    assert all(hip.hip.has_symbol(name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_function(hip, name):
    CASES[name](hip)
    assert name in hip.seen


def test_every_name_of_the_runtime_answers():
    """What is not implemented says so and returns hipErrorNotSupported: the library has all names that hip-python binds."""
    text = (REPOSITORY / "hipify_py/cpu/src/unsupported.def").read_text()
    names = re.findall(r"^UNSUPPORTED\((\w+)\)", text, re.M)
    assert len(names) > 200
    for name in names + re.findall(r"^ALIAS\((\w+),", text, re.M):
        assert hasattr(library(), name), name
    status, out, err = script(
        """
import ctypes, re
library = ctypes.CDLL("{}")
names = re.findall(r"^UNSUPPORTED\\((\\w+)\\)", open("hipify_py/cpu/src/unsupported.def").read(), re.M)
print([name for name in names if getattr(library, name)() != 801])
""".format(build.build_runtime() / "lib" / "libamdhip64.so")
    )
    assert (status, out.strip()) == (0, "[]"), err
    assert err.splitlines() == [f"hipcpu: `{name}` is not implemented by the CPU device" for name in names]


def test_records_are_as_large_as_the_bindings_think(hip):
    for name in (
        "hipDeviceProp_t",
        "hipPointerAttribute_t",
        "hipMemcpy3DParms",
        "hip_Memcpy2D",
        "HIP_MEMCPY3D",
        "hipFuncAttributes",
    ):
        size = getattr(hip.hip, name)().c_sizeof()
        assert (
            size
            == {
                "hipDeviceProp_t": 1472,
                "hipPointerAttribute_t": 32,
                "hipMemcpy3DParms": 160,
                "hip_Memcpy2D": 128,
                "HIP_MEMCPY3D": 184,
                "hipFuncAttributes": 56,
            }[name]
        )


# ---- the device


@case("hipInit hipGetDeviceCount hipGetDevice hipSetDevice hipSetValidDevices hipDeviceGet hipDeviceSynchronize hipDeviceReset")
def _device(hip):
    hip.hipInit(0)
    assert hip.hipGetDeviceCount() == 1
    hip.hipSetDevice(0)
    assert hip.hipGetDevice() == 0
    assert hip.fails("hipSetDevice", 1) == "hipErrorInvalidDevice"
    assert hip.raw("hipSetValidDevices", (ctypes.c_int * 1)(0), 1) == 0
    assert int(hip.hipDeviceGet(0)) == 0
    assert hip.fails("hipDeviceGet", 3) == "hipErrorInvalidDevice"
    hip.hipDeviceSynchronize()
    hip.hipDeviceReset()


@case("hipDriverGetVersion hipRuntimeGetVersion")
def _versions(hip):
    assert hip.hipDriverGetVersion() == hip.hipRuntimeGetVersion() >= 60000000


@case(
    "hipGetDevicePropertiesR0600 hipDeviceGetAttribute hipDeviceGetName"
    " hipDeviceTotalMem hipDeviceComputeCapability hipChooseDeviceR0600"
    " hipDeviceGetUuid"
)
def _properties(hip):
    from hipify_py.validate.device import device_properties

    hip.seen.add("hipGetDevicePropertiesR0600")
    properties = device_properties(hip.hip)
    attribute = hip.hip.hipDeviceAttribute_t
    assert properties.warpSize == hip.hipDeviceGetAttribute(attribute.hipDeviceAttributeWarpSize, 0) == 64
    assert properties.maxThreadsPerBlock == hip.hipDeviceGetAttribute(attribute.hipDeviceAttributeMaxThreadsPerBlock, 0) == 1024
    assert (
        properties.sharedMemPerBlock == hip.hipDeviceGetAttribute(attribute.hipDeviceAttributeMaxSharedMemoryPerBlock, 0) == 65536
    )
    assert properties.gcnArchName in ("gfx90a", b"gfx90a")
    assert properties.multiProcessorCount == hip.hipDeviceGetAttribute(attribute.hipDeviceAttributeMultiprocessorCount, 0) >= 1
    name = bytearray(256)
    assert hip.raw("hipDeviceGetName", (ctypes.c_char * 256).from_buffer(name), 256, 0) == 0
    assert name.startswith(b"hipify-py CPU device")
    assert hip.hipDeviceTotalMem(0) == properties.totalGlobalMem > 0
    assert hip.hipDeviceComputeCapability(0) == (properties.major, properties.minor)
    uuid = (ctypes.c_char * 16)()
    assert hip.raw("hipDeviceGetUuid", uuid, 0) == 0 and bytes(uuid) == b"hipify-py-cpu-00"
    number = ctypes.c_int(9)
    assert hip.raw("hipChooseDeviceR0600", ctypes.byref(number), None) == 0 and number.value == 0


@case("hipDeviceGetPCIBusId hipDeviceGetByPCIBusId")
def _bus(hip):
    text = ctypes.create_string_buffer(32)
    assert hip.raw("hipDeviceGetPCIBusId", text, 32, 0) == 0
    assert hip.hipDeviceGetByPCIBusId(text.value) == 0
    assert hip.fails("hipDeviceGetByPCIBusId", b"0000:99:00.0") == "hipErrorInvalidDevice"


@case(
    "hipSetDeviceFlags hipGetDeviceFlags hipDeviceSetCacheConfig hipDeviceGetCacheConfig hipDeviceSetSharedMemConfig"
    " hipDeviceGetSharedMemConfig hipDeviceGetLimit hipDeviceSetLimit hipDeviceGetStreamPriorityRange"
)
def _settings(hip):
    hip.hipSetDeviceFlags(4)
    assert hip.hipGetDeviceFlags() == 4
    hip.hipSetDeviceFlags(0)
    cache = hip.hip.hipFuncCache_t.hipFuncCachePreferL1
    hip.hipDeviceSetCacheConfig(cache)
    assert int(hip.hipDeviceGetCacheConfig()) == int(cache)
    shared = hip.hip.hipSharedMemConfig.hipSharedMemBankSizeEightByte
    hip.hipDeviceSetSharedMemConfig(shared)
    assert int(hip.hipDeviceGetSharedMemConfig()) == int(shared)
    limit = hip.hip.hipLimit_t
    hip.hipDeviceSetLimit(limit.hipLimitPrintfFifoSize, 1 << 21)
    assert hip.hipDeviceGetLimit(limit.hipLimitPrintfFifoSize) == 1 << 21
    assert hip.fails("hipDeviceGetLimit", limit.hipLimitRange) == "hipErrorUnsupportedLimit"
    assert hip.hipDeviceGetStreamPriorityRange() == (1, -1)


@case(
    "hipDeviceCanAccessPeer hipDeviceEnablePeerAccess"
    " hipDeviceDisablePeerAccess hipDeviceGetP2PAttribute hipExtGetLinkTypeAndHopCount"
)
def _peers(hip):
    assert hip.hipDeviceCanAccessPeer(0, 0) == 0
    assert hip.fails("hipDeviceCanAccessPeer", 0, 1) == "hipErrorInvalidDevice"
    assert hip.fails("hipDeviceEnablePeerAccess", 1, 0) == "hipErrorInvalidDevice"
    assert hip.fails("hipDeviceDisablePeerAccess", 0) == "hipErrorPeerAccessNotEnabled"
    assert (
        hip.fails("hipDeviceGetP2PAttribute", hip.hip.hipDeviceP2PAttr.hipDevP2PAttrAccessSupported, 0, 1)
        == "hipErrorInvalidDevice"
    )
    assert hip.fails("hipExtGetLinkTypeAndHopCount", 0, 1) == "hipErrorInvalidDevice"


@case("hipProfilerStart hipProfilerStop hipCreateChannelDesc hipApiName")
def _small(hip):
    hip.hipProfilerStart()
    hip.hipProfilerStop()
    hip.seen |= {"hipCreateChannelDesc", "hipApiName"}
    own = hip.hip.hipCreateChannelDesc(8, 8, 8, 8, hip.hip.hipChannelFormatKind.hipChannelFormatKindUnsigned)
    own = own[-1] if isinstance(own, tuple) else own
    assert (own.x, own.y, own.z, own.w) == (8, 8, 8, 8)
    library().hipApiName.restype = ctypes.c_char_p
    assert library().hipApiName is not None


@case(
    "hipCtxCreate hipCtxDestroy hipCtxSetCurrent hipCtxGetCurrent"
    " hipCtxPushCurrent hipCtxPopCurrent hipCtxGetDevice hipCtxGetApiVersion"
    " hipCtxGetFlags hipCtxSynchronize hipDevicePrimaryCtxRetain hipDevicePrimaryCtxRelease hipDevicePrimaryCtxReset"
    " hipDevicePrimaryCtxGetState hipDevicePrimaryCtxSetFlags"
)
def _contexts(hip):
    own = hip.hipCtxCreate(2, 0)
    assert int(hip.hipCtxGetCurrent()) == int(own)
    assert hip.hipCtxGetFlags() == 2
    popped = hip.hipCtxPopCurrent()
    assert int(popped) == int(own)
    hip.hipCtxPushCurrent(own)
    hip.hipCtxSetCurrent(own)
    assert int(hip.hipCtxGetDevice()) == 0
    assert hip.raw("hipCtxGetApiVersion", None, ctypes.byref(ctypes.c_uint())) == 0
    hip.hipCtxSynchronize()
    hip.hipCtxDestroy(own)
    primary = hip.hipDevicePrimaryCtxRetain(0)
    assert int(primary) == int(hip.hipCtxGetCurrent())
    hip.hipDevicePrimaryCtxSetFlags(0, 1)
    assert hip.hipDevicePrimaryCtxGetState(0) == (1, 1)
    hip.hipDevicePrimaryCtxReset(0)
    hip.hipDevicePrimaryCtxRelease(0)


@case(
    "hipGetLastError hipExtGetLastError hipPeekAtLastError"
    " hipGetErrorName hipGetErrorString hipDrvGetErrorName hipDrvGetErrorString"
)
def _errors(hip):
    hip.hip.hipGetLastError()
    hip.hip.hipSetDevice(5)
    for name in ("hipPeekAtLastError", "hipGetLastError"):
        hip.seen.add(name)
        assert getattr(hip.hip, name)()[0].name == "hipErrorInvalidDevice"
    assert hip.hip.hipPeekAtLastError()[0].name == "hipSuccess"
    hip.hip.hipSetDevice(5)
    hip.seen |= {"hipExtGetLastError", "hipGetErrorName", "hipGetErrorString", "hipDrvGetErrorName", "hipDrvGetErrorString"}
    assert hip.hip.hipExtGetLastError()[0].name == "hipErrorInvalidDevice"
    last = lambda answer: str(answer[-1]) if isinstance(answer, tuple) else answer  # noqa: E731 - the versions of hip-python differ
    assert last(hip.hip.hipGetErrorName(hip.hip.hipError_t.hipErrorOutOfMemory)) in (
        "hipErrorOutOfMemory",
        b"hipErrorOutOfMemory",
    )
    assert last(hip.hip.hipGetErrorString(hip.hip.hipError_t.hipErrorOutOfMemory)) in ("out of memory", b"out of memory")
    for error in hip.hip.hipError_t:
        text = ctypes.c_char_p()
        assert library().hipDrvGetErrorName(int(error), ctypes.byref(text)) == 0
        assert hip.hip.hipError_t[text.value.decode()].value == error.value
    text = ctypes.c_char_p()
    assert library().hipDrvGetErrorString(700, ctypes.byref(text)) == 0 and b"illegal" in text.value


# ---- memory


@case(
    "hipMalloc hipExtMallocWithFlags hipMallocManaged hipMallocAsync"
    " hipFree hipFreeAsync hipHostMalloc hipHostAlloc hipMallocHost"
    " hipMemAllocHost hipHostFree hipFreeHost hipMemcpy hipMemset"
)
def _allocation(hip):
    data, back = np.arange(100, dtype=np.uint8), np.zeros(100, np.uint8)
    for allocate, release in (
        (lambda: hip.hipMalloc(100), hip.hipFree),
        (lambda: hip.hipExtMallocWithFlags(100, 0), hip.hipFree),
        (lambda: hip.hipMallocManaged(100, 1), hip.hipFree),
        (lambda: hip.hipMallocAsync(100, None), lambda p: hip.hipFreeAsync(p, None)),
        (lambda: hip.hipHostMalloc(100, 0), hip.hipHostFree),
        (lambda: hip.hipHostAlloc(100, 0), hip.hipFreeHost),
        (lambda: hip.hipMallocHost(100), hip.hipHostFree),
        (lambda: hip.hipMemAllocHost(100), hip.hipHostFree),
    ):
        pointer = allocate()
        assert int(pointer) % 16 == 0
        hip.hipMemcpy(pointer, data, 100, hip.kind(H2D))
        hip.hipMemcpy(back, pointer, 100, hip.kind(D2H))
        assert np.array_equal(back, data)
        hip.hipMemset(pointer, 7, 50)
        hip.hipMemcpy(back, pointer, 100, hip.kind(D2H))
        assert set(back[:50]) == {7} and back[50] == 50
        assert hip.fails("hipMemcpy", pointer, data, 101, hip.kind(H2D)) == "hipErrorInvalidValue"
        assert hip.fails("hipMemset", pointer, 0, 101) == "hipErrorInvalidValue"
        address = int(pointer)
        release(pointer)
        assert hip.fails("hipFree", ctypes.c_void_p(address)) == "hipErrorInvalidValue"
    assert hip.fails("hipMemcpy", back, data, 100, hip.kind(H2D)) == "hipErrorInvalidValue"


@case("hipMemGetInfo hipMemPtrGetInfo hipMemGetAddressRange hipPointerGetAttributes hipPointerGetAttribute")
def _information(hip):
    free, total = hip.hipMemGetInfo()
    pointer = hip.hipMalloc(1000)
    assert hip.hipMemGetInfo() == (free - 1000, total)
    assert hip.hipMemPtrGetInfo(pointer) == 1000
    middle = ctypes.c_void_p(int(pointer) + 500)
    base, size = hip.hipMemGetAddressRange(middle)
    assert (int(base), size) == (int(pointer), 1000)
    record = (ctypes.c_uint64 * 4)()
    assert hip.raw("hipPointerGetAttributes", record, middle) == 0
    assert record[0] & 0xFFFFFFFF == 2 and record[1] == int(pointer) + 500  # device memory
    size = ctypes.c_size_t()
    assert hip.raw("hipPointerGetAttribute", ctypes.byref(size), 12, pointer.as_c_void_p()) == 0
    assert size.value == 1000
    assert hip.hip.hipMalloc(total + 1)[0].name == "hipErrorOutOfMemory"
    hip.hip.hipGetLastError()
    hip.hipFree(pointer)


@case(
    "hipMallocPitch hipMemAllocPitch hipMemcpy2D hipMemcpy2DAsync"
    " hipMemset2D hipMemset2DAsync hipMemcpyParam2D hipMemcpyParam2DAsync"
    " hipDrvMemcpy2DUnaligned"
)
def _two_dimensions(hip):
    data = np.arange(5 * 30, dtype=np.uint8).reshape(5, 30)
    for pointer, pitch in (hip.hipMallocPitch(30, 5), hip.hipMemAllocPitch(30, 5, 4)):
        assert pitch >= 30 and pitch % 256 == 0
        for copy in (hip.hipMemcpy2D, lambda *a: hip.hipMemcpy2DAsync(*a, None)):
            back = np.zeros_like(data)
            copy(pointer, pitch, data, 30, 30, 5, hip.kind(H2D))
            copy(back, 30, pointer, pitch, 30, 5, hip.kind(D2H))
            assert np.array_equal(back, data)
        for fill in (hip.hipMemset2D, lambda *a: hip.hipMemset2DAsync(*a, None)):
            hip.hipMemcpy2D(pointer, pitch, data, 30, 30, 5, hip.kind(H2D))
            fill(pointer, pitch, 9, 10, 3)
            hip.hipMemcpy2D(back, 30, pointer, pitch, 30, 5, hip.kind(D2H))
            assert (
                set(back[:3, :10].ravel()) == {9}
                and np.array_equal(back[3:], data[3:])
                and np.array_equal(back[:, 10:], data[:, 10:])
            )
        for name in ("hipMemcpyParam2D", "hipMemcpyParam2DAsync", "hipDrvMemcpy2DUnaligned"):
            back = np.zeros_like(data)
            record = _memcpy_2d(pointer, pitch, back)
            hip.hipMemcpy2D(pointer, pitch, data, 30, 30, 5, hip.kind(H2D))
            assert hip.raw(name, record, *([None] if name.endswith("Async") else [])) == 0
            assert np.array_equal(back[:4, :28], data[1:, 2:])
        hip.hipFree(pointer)


def _memcpy_2d(pointer, pitch, back):
    """Rows 1 to 4 and bytes 2 to 29 of device memory to the host."""
    words = [2, 1, 2, 0, int(pointer), 0, pitch, 0, 0, 1, back.ctypes.data, 0, 0, 30, 28, 4]
    return (ctypes.c_uint64 * 16)(*words)


@case("hipMalloc3D hipMemset3D hipMemset3DAsync hipMemcpy3D hipMemcpy3DAsync hipDrvMemcpy3D hipDrvMemcpy3DAsync")
def _three_dimensions(hip):
    class Pitched(ctypes.Structure):
        _fields_ = (("ptr", ctypes.c_void_p), ("pitch", ctypes.c_size_t), ("xsize", ctypes.c_size_t), ("ysize", ctypes.c_size_t))

    class Extent(ctypes.Structure):
        _fields_ = (("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("depth", ctypes.c_size_t))

    class Parameters(ctypes.Structure):
        _fields_ = (
            ("src_array", ctypes.c_void_p),
            ("src_pos", Extent),
            ("src", Pitched),
            ("dst_array", ctypes.c_void_p),
            ("dst_pos", Extent),
            ("dst", Pitched),
            ("extent", Extent),
            ("kind", ctypes.c_int),
        )

    data = np.arange(3 * 4 * 20, dtype=np.uint8).reshape(3, 4, 20)
    pointer = Pitched()
    assert hip.raw("hipMalloc3D", ctypes.byref(pointer), Extent(20, 4, 3)) == 0
    assert pointer.pitch >= 20
    host = Pitched(data.ctypes.data, 20, 20, 4)
    back = np.zeros_like(data)
    for name, rest in (("hipMemcpy3D", ()), ("hipMemcpy3DAsync", (None,))):
        back[:] = 0
        up = Parameters(src=host, dst=pointer, extent=Extent(20, 4, 3), kind=H2D)
        down = Parameters(src=pointer, dst=Pitched(back.ctypes.data, 20, 20, 4), extent=Extent(20, 4, 3), kind=D2H)
        assert hip.raw(name, ctypes.byref(up), *rest) == 0
        assert hip.raw(name, ctypes.byref(down), *rest) == 0
        assert np.array_equal(back, data)
    for name, rest in (("hipDrvMemcpy3D", ()), ("hipDrvMemcpy3DAsync", (None,))):
        back[:] = 0
        words = [0, 0, 0, 0, 2, 0, pointer.ptr, 0, pointer.pitch, 4, 0, 0, 0, 0, 1, back.ctypes.data, 0, 0, 20, 4, 20, 4, 3]
        assert hip.raw(name, (ctypes.c_uint64 * 23)(*words), *rest) == 0
        assert np.array_equal(back, data)
    for name, rest in (("hipMemset3D", ()), ("hipMemset3DAsync", (None,))):
        assert hip.raw("hipMemcpy3D", ctypes.byref(up)) == 0
        assert hip.raw(name, pointer, 5, Extent(10, 2, 1), *rest) == 0
        assert hip.raw("hipMemcpy3D", ctypes.byref(down)) == 0
        expected = data.copy()
        expected[0, :2, :10] = 5
        assert np.array_equal(back, expected)
    hip.hipFree(ctypes.c_void_p(pointer.ptr))


@case("hipHostRegister hipHostUnregister hipHostGetDevicePointer hipHostGetFlags")
def _registered(hip):
    data = np.zeros(64, np.float32)
    hip.hipHostRegister(data, data.nbytes, 1)
    assert hip.fails("hipHostRegister", data, data.nbytes, 1) == "hipErrorHostMemoryAlreadyRegistered"
    assert int(hip.hipHostGetDevicePointer(data, 0)) == data.ctypes.data
    assert hip.hipHostGetFlags(data) == 1
    hip.hipHostUnregister(data)
    assert hip.fails("hipHostUnregister", data) == "hipErrorHostMemoryNotRegistered"


@case("hipMemPrefetchAsync hipMemAdvise hipMemRangeGetAttribute hipStreamAttachMemAsync")
def _managed(hip):
    pointer = hip.hipMallocManaged(4096, 1)
    hip.hipMemPrefetchAsync(pointer, 4096, 0, None)
    hip.hipMemAdvise(pointer, 4096, hip.hip.hipMemoryAdvise.hipMemAdviseSetReadMostly, 0)
    value = ctypes.c_int(7)
    assert hip.raw("hipMemRangeGetAttribute", ctypes.byref(value), 4, 1, pointer.as_c_void_p(), 4096) == 0 and value.value == 0
    hip.hipStreamAttachMemAsync(None, pointer, 0, 1)
    hip.hipFree(pointer)


@case(
    "hipDeviceGetDefaultMemPool hipDeviceGetMemPool hipDeviceSetMemPool hipMemPoolCreate hipMemPoolDestroy hipMemPoolTrimTo"
    " hipMemPoolSetAttribute hipMemPoolGetAttribute hipMallocFromPoolAsync"
)
def _pools(hip):
    default = hip.hipDeviceGetDefaultMemPool(0)
    assert int(hip.hipDeviceGetMemPool(0)) == int(default)
    own = ctypes.c_void_p()
    assert hip.raw("hipMemPoolCreate", ctypes.byref(own), (ctypes.c_char * 88)()) == 0
    hip.hipDeviceSetMemPool(0, own)
    assert int(hip.hipDeviceGetMemPool(0)) == own.value
    value = ctypes.c_uint64(123)
    assert hip.raw("hipMemPoolSetAttribute", own, 4, ctypes.byref(value)) == 0
    value.value = 0
    assert hip.raw("hipMemPoolGetAttribute", own, 4, ctypes.byref(value)) == 0 and value.value == 123
    pointer = hip.hipMallocFromPoolAsync(64, own, None)
    hip.hipFree(pointer)
    hip.hipMemPoolTrimTo(own, 0)
    hip.hipMemPoolDestroy(own)
    assert int(hip.hipDeviceGetMemPool(0)) == int(default)


@case("hipIpcGetMemHandle hipIpcOpenMemHandle hipIpcCloseMemHandle")
def _shared_memory(hip):
    pointer = hip.hipMalloc(64)
    handle = hip.hipIpcGetMemHandle(pointer)
    again = hip.hipIpcOpenMemHandle(handle, 1)
    assert int(again) == int(pointer)
    hip.hipIpcCloseMemHandle(again)
    hip.hipFree(pointer)


@case(
    "hipMemcpyAsync hipMemcpyWithStream hipMemcpyHtoD hipMemcpyDtoH hipMemcpyDtoD hipMemcpyHtoDAsync hipMemcpyDtoHAsync"
    " hipMemcpyDtoDAsync hipMemcpyPeer hipMemcpyPeerAsync"
)
def _copies(hip):
    data = np.arange(64, dtype=np.int32)
    n = data.nbytes
    a, b = hip.hipMalloc(n), hip.hipMalloc(n)
    ways = (
        (
            lambda: hip.hipMemcpyAsync(a, data, n, hip.kind(H2D), None),
            lambda: hip.hipMemcpyDtoD(b, a, n),
            lambda x: hip.hipMemcpyDtoH(x, b, n),
        ),
        (
            lambda: hip.hipMemcpyWithStream(a, data, n, hip.kind(H2D), None),
            lambda: hip.hipMemcpyDtoDAsync(b, a, n, None),
            lambda x: hip.hipMemcpyDtoHAsync(x, b, n, None),
        ),
        (lambda: hip.hipMemcpyHtoD(a, data, n), lambda: hip.hipMemcpyPeer(b, 0, a, 0, n), lambda x: hip.hipMemcpyDtoH(x, b, n)),
        (
            lambda: hip.hipMemcpyHtoDAsync(a, data, n, None),
            lambda: hip.hipMemcpyPeerAsync(b, 0, a, 0, n, None),
            lambda x: hip.hipMemcpyDtoH(x, b, n),
        ),
    )
    for up, across, down in ways:
        back = np.zeros_like(data)
        hip.hipMemset(a, 0, n)
        hip.hipMemset(b, 0, n)
        up()
        across()
        down(back)
        assert np.array_equal(back, data)
    assert hip.fails("hipMemcpyPeer", b, 1, a, 0, n) == "hipErrorInvalidDevice"
    hip.hipFree(a)
    hip.hipFree(b)


@case("hipMemsetAsync hipMemsetD8 hipMemsetD8Async hipMemsetD16 hipMemsetD16Async hipMemsetD32 hipMemsetD32Async")
def _fills(hip):
    pointer = hip.hipMalloc(16)
    for name, value, kind, rest in (
        ("hipMemsetAsync", 3, np.uint8, (None,)),
        ("hipMemsetD8", 4, np.uint8, ()),
        ("hipMemsetD8Async", 5, np.uint8, (None,)),
        ("hipMemsetD16", 600, np.uint16, ()),
        ("hipMemsetD16Async", 700, np.uint16, (None,)),
        ("hipMemsetD32", 80000, np.int32, ()),
        ("hipMemsetD32Async", -9, np.int32, (None,)),
    ):
        back = np.zeros(16, np.uint8).view(kind)
        getattr(hip, name)(pointer, value, back.size, *rest)
        hip.hipMemcpy(back, pointer, 16, hip.kind(D2H))
        assert set(back) == {value}
    hip.hipFree(pointer)


# ---- streams, events, graphs


@case(
    "hipStreamCreate hipStreamCreateWithFlags hipStreamCreateWithPriority hipStreamDestroy hipStreamSynchronize hipStreamQuery"
    " hipStreamGetFlags hipStreamGetPriority hipStreamGetDevice hipStreamGetId hipStreamWaitEvent"
)
def _streams(hip):
    a, b, c = hip.hipStreamCreate(), hip.hipStreamCreateWithFlags(1), hip.hipStreamCreateWithPriority(0, -1)
    assert [hip.hipStreamGetFlags(s) for s in (a, b, c)] == [0, 1, 0]
    assert [hip.hipStreamGetPriority(s) for s in (a, b, c)] == [0, 0, -1]
    assert int(hip.hipStreamGetDevice(a)) == 0
    ids = set()
    for stream in (a, b, c):
        number = ctypes.c_ulonglong()
        assert hip.raw("hipStreamGetId", ctypes.c_void_p(int(stream)), ctypes.byref(number)) == 0
        ids.add(number.value)
        hip.hipStreamSynchronize(stream)
        hip.hipStreamQuery(stream)
        event = hip.hipEventCreate()
        hip.hipStreamWaitEvent(stream, event, 0)
        hip.hipEventDestroy(event)
        hip.hipStreamDestroy(stream)
    assert len(ids) == 3


@case("hipStreamAddCallback hipLaunchHostFunc")
def _callbacks(hip):
    seen = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
        lambda stream, error, data: seen.append((error, data))
    )
    assert hip.raw("hipStreamAddCallback", None, callback, ctypes.c_void_p(5), 0) == 0
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(seen.append)
    assert hip.raw("hipLaunchHostFunc", None, function, ctypes.c_void_p(6)) == 0
    assert seen == [(0, 5), 6]


@case("hipStreamWaitValue32 hipStreamWaitValue64 hipStreamWriteValue32 hipStreamWriteValue64")
def _values(hip):
    pointer = hip.hipMalloc(8)
    hip.hipStreamWriteValue32(None, pointer, 42, 0)
    hip.hipStreamWaitValue32(None, pointer, 42, 1, 0xFFFFFFFF)
    hip.hipStreamWriteValue64(None, pointer, 1 << 40, 0)
    hip.hipStreamWaitValue64(None, pointer, 1 << 40, 0, (1 << 64) - 1)
    assert hip.fails("hipStreamWaitValue32", None, pointer, 7, 1, 0xFFFFFFFF) == "hipErrorNotReady"
    hip.hipFree(pointer)


@case(
    "hipStreamBeginCapture hipStreamEndCapture hipStreamIsCapturing hipStreamGetCaptureInfo hipThreadExchangeStreamCaptureMode"
    " hipGraphCreate hipGraphDestroy hipGraphInstantiate"
    " hipGraphInstantiateWithFlags hipGraphLaunch hipGraphUpload hipGraphExecDestroy"
    " hipGraphGetNodes"
)
def _graphs(hip):
    stream = hip.hipStreamCreate()
    pointer = hip.hipMalloc(16)
    value = np.zeros(16, np.uint8)
    hip.hipMemset(pointer, 1, 16)
    hip.hipStreamBeginCapture(stream, hip.hip.hipStreamCaptureMode.hipStreamCaptureModeGlobal)
    assert hip.hipStreamIsCapturing(stream).name == "hipStreamCaptureStatusActive"
    status, number = ctypes.c_int(), ctypes.c_ulonglong()
    assert hip.raw("hipStreamGetCaptureInfo", ctypes.c_void_p(int(stream)), ctypes.byref(status), ctypes.byref(number)) == 0
    assert status.value == 1
    hip.hipMemsetAsync(pointer, 9, 16, stream)
    graph = hip.hipStreamEndCapture(stream)
    hip.hipMemcpy(value, pointer, 16, hip.kind(D2H))
    assert set(value) == {1}
    count = ctypes.c_size_t()
    assert hip.raw("hipGraphGetNodes", ctypes.c_void_p(int(graph)), None, ctypes.byref(count)) == 0 and count.value == 1
    runs = [hip.hipGraphInstantiateWithFlags(graph, 0)]
    run = ctypes.c_void_p()
    assert hip.raw("hipGraphInstantiate", ctypes.byref(run), ctypes.c_void_p(int(graph)), None, None, 0) == 0
    runs.append(run)
    for own in runs:
        hip.hipMemset(pointer, 1, 16)
        hip.hipGraphUpload(own, stream)
        hip.hipGraphLaunch(own, stream)
        hip.hipMemcpy(value, pointer, 16, hip.kind(D2H))
        assert set(value) == {9}
        hip.hipGraphExecDestroy(own)
    hip.hipGraphDestroy(graph)
    hip.hipGraphDestroy(hip.hipGraphCreate(0))
    mode = ctypes.c_int(2)
    assert hip.raw("hipThreadExchangeStreamCaptureMode", ctypes.byref(mode)) == 0 and mode.value in (0, 2)
    assert hip.raw("hipThreadExchangeStreamCaptureMode", ctypes.byref(mode)) == 0
    hip.hipFree(pointer)
    hip.hipStreamDestroy(stream)


@case(
    "hipEventCreate hipEventCreateWithFlags hipEventRecord"
    " hipEventRecordWithFlags hipEventSynchronize hipEventQuery hipEventElapsedTime"
    " hipEventDestroy hipIpcGetEventHandle hipIpcOpenEventHandle"
)
def _events(hip):
    a, b, c = hip.hipEventCreate(), hip.hipEventCreate(), hip.hipEventCreateWithFlags(2 | 4)
    assert hip.fails("hipEventElapsedTime", a, b) == "hipErrorInvalidHandle"
    hip.hipEventRecord(a, None)
    hip.hipEventRecordWithFlags(b, None, 0)
    hip.hipEventRecord(c, None)
    hip.hipEventSynchronize(b)
    hip.hipEventQuery(b)
    assert 0 <= hip.hipEventElapsedTime(a, b) < 1000
    assert hip.fails("hipEventElapsedTime", a, c) == "hipErrorInvalidHandle"
    handle = hip.hipIpcGetEventHandle(c)
    assert int(hip.hipIpcOpenEventHandle(handle)) == int(c)
    for event in (a, b, c):
        hip.hipEventDestroy(event)


# ---- modules and launches


def _module(hip):
    path = build.build_module(ENGINE, wave=64)
    return hip.hipModuleLoad(str(path).encode())


@case(
    "hipModuleLoad hipModuleLoadData hipModuleLoadDataEx hipModuleLoadFatBinary hipModuleUnload hipModuleGetFunction"
    " hipModuleGetFunctionCount hipModuleGetGlobal"
)
def _modules(hip):
    image = build.build_module(ENGINE, wave=64).read_bytes()
    ways = [_module(hip), hip.hipModuleLoadData(image)]
    own = ctypes.c_void_p()
    assert hip.raw("hipModuleLoadDataEx", ctypes.byref(own), image, 0, None, None) == 0
    ways.append(own)
    own = ctypes.c_void_p()
    assert hip.raw("hipModuleLoadFatBinary", ctypes.byref(own), image) == 0
    ways.append(own)
    addresses = set()
    for module in ways:
        assert int(hip.hipModuleGetFunction(module, b"add"))
        assert hip.hipModuleGetFunctionCount(module) > 20
        address, size = hip.hipModuleGetGlobal(module, b"table")
        assert size == 16
        addresses.add(int(address))
        assert hip.fails("hipModuleGetFunction", module, b"nothing") == "hipErrorNotFound"
    assert len(addresses) == 4  # each has variables of its own
    for module in ways:
        hip.hipModuleUnload(module)
    assert hip.fails("hipModuleLoad", b"/nowhere") == "hipErrorFileNotFound"
    assert hip.fails("hipModuleLoadData", b"\x00" * 100) == "hipErrorInvalidImage"
    gpu = bytearray(image[:64])
    gpu[18:20] = (224).to_bytes(2, "little")  # EM_AMDGPU
    assert hip.fails("hipModuleLoadData", bytes(gpu)) == "hipErrorNoBinaryForGpu"


class Dim(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint32), ("y", ctypes.c_uint32), ("z", ctypes.c_uint32))


def _dim(x):
    return Dim(x, 1, 1)


def _arguments(*values):
    array = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
    array.keep = values
    return array


@case(
    "hipModuleLaunchKernel hipModuleLaunchCooperativeKernel"
    " hipModuleLaunchCooperativeKernelMultiDevice hipLaunchKernel hipExtLaunchKernel"
    " hipLaunchCooperativeKernel hipLaunchCooperativeKernelMultiDevice hipGetFuncBySymbol hipKernelNameRef hipKernelNameRefByPtr"
)
def _launches(hip):
    module = _module(hip)
    function = hip.hipModuleGetFunction(module, b"add")
    n = 100
    a, b = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    da, db, dc = (hip.hipMalloc(a.nbytes) for _ in range(3))
    hip.hipMemcpy(da, a, a.nbytes, hip.kind(H2D))
    hip.hipMemcpy(db, b, b.nbytes, hip.kind(H2D))
    values = _arguments(*(ctypes.c_void_p(int(p)) for p in (da, db, dc)), ctypes.c_int(n))
    null = ctypes.c_void_p()
    handle = ctypes.c_void_p(int(function))
    # The address of the kernel: what the name of a kernel is to the C++ of the host.
    table = ctypes.CDLL(str(build.build_module(ENGINE, wave=64)))
    kernel = ctypes.cast(table.add, ctypes.c_void_p)

    class Params(ctypes.Structure):
        _fields_ = (
            ("func", ctypes.c_void_p),
            ("grid", Dim),
            ("block", Dim),
            ("args", ctypes.c_void_p),
            ("shared", ctypes.c_size_t),
            ("stream", ctypes.c_void_p),
        )

    class FunctionParams(ctypes.Structure):
        _fields_ = (
            ("function", ctypes.c_void_p),
            ("sizes", ctypes.c_uint * 6),
            ("shared", ctypes.c_uint),
            ("stream", ctypes.c_void_p),
            ("args", ctypes.c_void_p),
        )

    one = Params(kernel.value, _dim(2), _dim(64), ctypes.addressof(values), 0, None)
    many = FunctionParams(handle.value, (ctypes.c_uint * 6)(2, 1, 1, 64, 1, 1), 0, None, ctypes.addressof(values))
    ways = [
        lambda: hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, None, None, (da, db, dc, ctypes.c_int(n))),
        lambda: hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, None, ctypes.addressof(values), None),
        lambda: hip.raw("hipModuleLaunchCooperativeKernel", handle, 2, 1, 1, 64, 1, 1, 0, null, values),
        lambda: hip.raw("hipModuleLaunchCooperativeKernelMultiDevice", ctypes.byref(many), 1, 0),
        lambda: hip.raw("hipLaunchKernel", kernel, _dim(2), _dim(64), values, ctypes.c_size_t(0), null),
        lambda: hip.raw("hipExtLaunchKernel", kernel, _dim(2), _dim(64), values, ctypes.c_size_t(0), null, null, null, 0),
        lambda: hip.raw("hipLaunchCooperativeKernel", kernel, _dim(2), _dim(64), values, 0, null),
        lambda: hip.raw("hipLaunchCooperativeKernelMultiDevice", ctypes.byref(one), 1, 0),
    ]
    for launch in ways:
        hip.hipMemset(dc, 0, a.nbytes)
        assert not launch()
        c = np.zeros(n, np.float32)
        hip.hipMemcpy(c, dc, c.nbytes, hip.kind(D2H))
        assert np.array_equal(c, a + b)
    found = ctypes.c_void_p()
    assert hip.raw("hipGetFuncBySymbol", ctypes.byref(found), kernel) == 0 and found.value
    for name, arguments in (("hipKernelNameRef", (handle,)), ("hipKernelNameRefByPtr", (kernel, null))):
        entry = getattr(library(), name)
        hip.seen.add(name)
        entry.restype = ctypes.c_char_p
        assert entry(*arguments) == b"add"
    short = ctypes.create_string_buffer(8)
    size = ctypes.c_size_t(8)
    extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(short), 2, ctypes.addressof(size), 3)
    assert hip.raw("hipModuleLaunchKernel", handle, 1, 1, 1, 1, 1, 1, 0, null, null, extra) == 1  # too few bytes of arguments
    hip.hip.hipGetLastError()
    for pointer in (da, db, dc):
        hip.hipFree(pointer)
    hip.hipModuleUnload(module)


@case(
    "hipMemcpyToSymbol hipMemcpyFromSymbol hipMemcpyToSymbolAsync hipMemcpyFromSymbolAsync hipGetSymbolAddress hipGetSymbolSize"
)
def _symbols(hip):
    module = _module(hip)
    address, size = hip.hipModuleGetGlobal(module, b"table")
    symbol = ctypes.c_void_p(int(address))
    assert int(hip.hipGetSymbolAddress(symbol)) == int(address)
    assert hip.hipGetSymbolSize(symbol) == size == 16
    for to, back in (("hipMemcpyToSymbol", "hipMemcpyFromSymbol"), ("hipMemcpyToSymbolAsync", "hipMemcpyFromSymbolAsync")):
        rest = (None,) if to.endswith("Async") else ()
        values, got = np.array([7, 8], np.int32), np.zeros(4, np.int32)
        getattr(hip, to)(symbol, values, 8, 8, hip.kind(H2D), *rest)
        getattr(hip, back)(got, symbol, 16, 0, hip.kind(D2H), *rest)
        assert list(got) == [1, 2, 7, 8]
        assert hip.fails(to, symbol, values, 8, 12, hip.kind(H2D), *rest) == "hipErrorInvalidValue"
        other = np.zeros(4, np.int32)
        assert hip.fails(to, other, values, 8, 0, hip.kind(H2D), *rest) == "hipErrorInvalidSymbol"
    hip.hipModuleUnload(module)


@case("hipFuncGetAttribute hipFuncGetAttributes hipFuncSetAttribute hipFuncSetCacheConfig hipFuncSetSharedMemConfig")
def _functions(hip):
    module = _module(hip)
    function = hip.hipModuleGetFunction(module, b"reverse")
    attribute = hip.hip.hipFunction_attribute
    assert hip.hipFuncGetAttribute(attribute.HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function) == 1024
    kernel = ctypes.cast(ctypes.CDLL(str(build.build_module(ENGINE, wave=64))).reverse, ctypes.c_void_p)
    record = (ctypes.c_uint64 * 7)()
    assert hip.raw("hipFuncGetAttributes", record, kernel) == 0
    assert hip.raw("hipFuncSetAttribute", kernel, 8, 512) == 0
    assert hip.raw("hipFuncSetAttribute", kernel, 8, 1 << 20) == 1
    assert hip.raw("hipFuncSetAttribute", kernel, 8, 65536) == 0
    assert hip.raw("hipFuncSetCacheConfig", kernel, 1) == 0
    assert hip.raw("hipFuncSetSharedMemConfig", kernel, 1) == 0
    hip.hip.hipGetLastError()
    hip.hipModuleUnload(module)


@case(
    "hipModuleOccupancyMaxPotentialBlockSize hipModuleOccupancyMaxPotentialBlockSizeWithFlags"
    " hipModuleOccupancyMaxActiveBlocksPerMultiprocessor hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"
    " hipOccupancyMaxActiveBlocksPerMultiprocessor"
    " hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags hipOccupancyMaxPotentialBlockSize"
    " hipOccupancyAvailableDynamicSMemPerBlock"
)
def _occupancy(hip):
    module = _module(hip)
    function = hip.hipModuleGetFunction(module, b"add")
    assert hip.hipModuleOccupancyMaxPotentialBlockSize(function, 0, 0)[1] == 1024
    assert hip.hipModuleOccupancyMaxPotentialBlockSizeWithFlags(function, 0, 256, 0)[1] == 256
    assert hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(function, 256, 0) == 8
    assert hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(function, 1024, 0, 0) == 2
    null = ctypes.c_void_p()
    assert hip.hipOccupancyMaxActiveBlocksPerMultiprocessor(null, 256, 32768) == 2
    assert hip.hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(null, 64, 0, 0) == 32
    assert hip.hipOccupancyMaxPotentialBlockSize(null, 0, 0)[1] == 1024
    assert hip.hipOccupancyAvailableDynamicSMemPerBlock(null, 2, 256) == 32768
    hip.hipModuleUnload(module)
