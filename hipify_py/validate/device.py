"""A device behind hip-python: the only module that imports ``hip``, and so the place of what its versions differ in.

device = Device.open()
module = device.load(path)
buffer = device.upload(array)
device.launch(module.function("add"), grid=(4, 1, 1), block=(256, 1, 1), arguments=[buffer, ctypes.c_int(1000)])
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

Dim = tuple[int, int, int]
#: What hip-python hands out: modules, pointers, functions; it has no types of its own.
Handle = Any
#: hipMemcpyKind: host to device, device to host, device to device.
_TO_DEVICE, _TO_HOST, _ON_DEVICE = 1, 2, 3
_OUT_OF_MEMORY = 2


class DeviceError(Exception):
    """A call of HIP has failed; `name` is that of the error, ``hipErrorOutOfMemory``."""

    def __init__(self, call: str, code: int, name: str, text: str) -> None:
        super().__init__(f"`{call}` failed: {name} ({text})")
        self.call = call
        self.code = code
        self.name = name


class UnavailableError(Exception):
    """There is no hip-python or no device; the text says so in one line."""


def use_runtime(root: Path) -> None:
    """Let hip-python load the runtime of this folder: before the first call of any of its functions.

    hip-python 10 looks at ``ROCM_PATH`` when its first function is called, which is done here, so that the environment is
    left as it was (hipcc looks at ``ROCM_PATH`` too); older versions ask the dynamic linker for ``libamdhip64.so``, which
    gives the library that the process has already loaded under that name.
    """
    before = os.environ.get("ROCM_PATH")
    os.environ["ROCM_PATH"] = str(root)
    try:
        for name in ("libamdhip64.so", "libhiprtc.so"):
            library = root / "lib" / name
            if library.is_file():
                ctypes.CDLL(str(library))
        for module, call in ((binding, "hipGetDeviceCount"), (runtime_compiler, "hiprtcVersion")):
            with contextlib.suppress(UnavailableError):
                getattr(module(), call)()
    finally:
        if before is None:
            del os.environ["ROCM_PATH"]
        else:
            os.environ["ROCM_PATH"] = before


def preload() -> None:
    """Import hip-python if it is there; no library is opened yet."""
    with contextlib.suppress(UnavailableError):
        binding()


def binding() -> Handle:
    """hip-python's module ``hip``.

    Raises:
        UnavailableError: hip-python is not installed.
    """
    return _part("hip")


def runtime_compiler() -> Handle:
    """hip-python's module ``hiprtc``.

    Raises:
        UnavailableError: hip-python is not installed.
    """
    return _part("hiprtc")


def _part(name: str) -> Handle:
    """A module of hip-python: since version 10 it lies in ``rocm.bindings``.

    There ``hip`` is a package that looks for all other bindings and for the versions of what is installed, which takes half
    as long again as the module itself.
    """
    for package in ("rocm.bindings", "hip"):
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError:
            continue
        except ImportError as error:
            raise UnavailableError(f"hip-python cannot be imported: {error}: install it anew") from error
    raise UnavailableError("hip-python is not installed: `pip install hipify-py[validate]`")


def device_properties(hip: Handle, ordinal: int = 0) -> Handle:
    """The properties of a device: hip-python 10 returns them, 6 and 7 fill a record."""
    record = hip.hipDeviceProp_t()
    try:
        answer = hip.hipGetDeviceProperties(record, ordinal)
    except TypeError:
        answer = hip.hipGetDeviceProperties(ordinal)
    code = answer[0] if isinstance(answer, tuple) else answer
    _check(hip, "hipGetDeviceProperties", code)
    return answer[1] if isinstance(answer, tuple) and len(answer) > 1 else record


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _error_text(hip: Handle, code: Handle) -> tuple[str, str]:
    name = getattr(code, "name", str(code))
    try:
        answer = hip.hipGetErrorString(code)
        text = _text(answer[-1] if isinstance(answer, tuple) else answer)
    except (TypeError, RuntimeError, AttributeError):
        text = name
    return name, text


def _check(hip: Handle, call: str, code: Handle) -> None:
    if int(code) != 0:
        raise DeviceError(call, int(code), *_error_text(hip, code))


@dataclass(slots=True)
class Module:
    """A loaded code object."""

    device: Device
    handle: Handle

    def function(self, name: str) -> Handle:
        """The kernel of this name, as it is spelled or as the compiler mangles it."""
        return self.device.call("hipModuleGetFunction", self.handle, name.encode())

    def variable(self, name: str) -> tuple[Handle, int]:
        """The address and the size of a ``__device__`` or ``__constant__`` variable."""
        address, size = self.device.call("hipModuleGetGlobal", self.handle, name.encode())
        return address, int(size)

    def unload(self) -> None:
        """Give the code object back."""
        self.device.call("hipModuleUnload", self.handle)


@dataclass(slots=True)
class Library:
    """Kernels and their host side, built as a shared library with :mod:`hipify_py.validate.harness`.

    Its kernels have host addresses, so that templates, namespaces and `static` need no mangled name.
    """

    device: Device
    handle: ctypes.CDLL

    def kernel(self, number: int) -> int:
        """The host address of a kernel, for :meth:`Device.launch_address`."""
        return self._address("hipify_py_kernel", number)

    def parameter_sizes(self, number: int) -> tuple[int, ...]:
        """The bytes of each parameter of a kernel, as the compiler has laid them out."""
        address = self._address("hipify_py_parameters", number)
        count = ctypes.c_uint.from_address(address).value
        return tuple((ctypes.c_uint * count).from_address(address + 4))

    def symbol(self, number: int) -> tuple[Handle, int]:
        """The device's address and the size of a ``__constant__`` or ``__device__`` variable."""
        shadow = self._address("hipify_py_symbol", number)
        return self.device.call("hipGetSymbolAddress", shadow), int(self.device.call("hipGetSymbolSize", shadow))

    def _address(self, function: str, number: int) -> int:
        call = getattr(self.handle, function)
        call.restype, call.argtypes = ctypes.c_void_p, (ctypes.c_int,)
        address = call(number)
        if not address:
            raise DeviceError(function, 0, "not found", f"the library has no number {number}")
        return int(address)


@dataclass(slots=True)
class Device:
    """A device and its buffers. Everything runs on the default stream."""

    hip: Handle
    name: str
    architecture: str
    wave: int
    is_cpu: bool
    buffers: list[Handle] = field(default_factory=list)

    @classmethod
    def open(cls, ordinal: int = 0) -> Device:
        """The device of this number.

        Raises:
            UnavailableError: there is none.
        """
        hip = binding()
        try:
            code, count = hip.hipGetDeviceCount()
        except RuntimeError as error:
            raise UnavailableError(f"hip-python finds no HIP runtime ({error})") from error
        if int(code) != 0 or count <= ordinal:
            raise UnavailableError(f"no AMD GPU ({_error_text(hip, code)[0]})")
        _check(hip, "hipSetDevice", hip.hipSetDevice(ordinal)[0])
        properties = device_properties(hip, ordinal)
        name = _text(properties.name)
        return cls(hip, name, _text(properties.gcnArchName), int(properties.warpSize), name.startswith("hipify-py CPU device"))

    def call(self, name: str, *arguments: Handle) -> Handle:
        """Call a function of HIP: None, its one result or the tuple of them.

        Raises:
            DeviceError: it has returned an error.
        """
        code, *results = getattr(self.hip, name)(*arguments)
        _check(self.hip, name, code)
        if not results:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def malloc(self, size: int) -> Handle:
        """A buffer of this many bytes, until :meth:`free`, :meth:`free_all` or the end of the process.

        Raises:
            DeviceError: there is no memory left; the text names what was asked for and what is free.
        """
        try:
            pointer = self.call("hipMalloc", max(size, 1))
        except DeviceError as error:
            if error.code != _OUT_OF_MEMORY:
                raise
            free, total = self.call("hipMemGetInfo")
            raise DeviceError(f"hipMalloc of {size} bytes", error.code, error.name, f"{free} of {total} bytes free") from error
        self.buffers.append(pointer)
        return pointer

    def free(self, pointer: Handle) -> None:
        """Give a buffer back."""
        self.buffers.remove(pointer)
        self.call("hipFree", pointer)

    def free_all(self) -> None:
        """Give all buffers back, after an error too."""
        while self.buffers:
            self.hip.hipFree(self.buffers.pop())

    def upload(self, array: Handle) -> Handle:
        """A new buffer with the bytes of a contiguous array."""
        pointer = self.malloc(array.nbytes)
        self.copy_to(pointer, array)
        return pointer

    def copy_to(self, pointer: Handle, array: Handle) -> None:
        """Copy a contiguous array to the device."""
        if array.nbytes:
            self.call("hipMemcpy", pointer, array, array.nbytes, self.hip.hipMemcpyKind(_TO_DEVICE))

    def copy_from(self, array: Handle, pointer: Handle) -> None:
        """Fill a contiguous array from the device."""
        if array.nbytes:
            self.call("hipMemcpy", array, pointer, array.nbytes, self.hip.hipMemcpyKind(_TO_HOST))

    def fill(self, pointer: Handle, byte: int, size: int) -> None:
        """Fill a buffer with one byte."""
        self.call("hipMemset", pointer, byte, size)

    def load(self, path: Path) -> Module:
        """Load a code object from a file."""
        return Module(self, self.call("hipModuleLoad", str(path).encode()))

    def load_library(self, path: Path) -> Library:
        """Load a shared library with kernels.

        Raises:
            DeviceError: It cannot be loaded.
        """
        try:
            return Library(self, ctypes.CDLL(str(path)))
        except OSError as error:
            raise DeviceError("dlopen", 0, "the library cannot be loaded", str(error)) from None

    def launch_address(
        self, kernel: int, *, grid: Dim, block: Dim, arguments: Sequence[Handle], shared: int = 0, cooperative: bool = False,
    ) -> None:
        """Launch a kernel by its host address; the launch may still run when this returns.

        Raises:
            DeviceError: the launch has failed.
        """
        values, array = _pointers(arguments)
        name = "hipLaunchCooperativeKernel" if cooperative else "hipLaunchKernel"
        dims = (self.hip.dim3(x=grid[0], y=grid[1], z=grid[2]), self.hip.dim3(x=block[0], y=block[1], z=block[2]))
        self.call(name, kernel, *dims, ctypes.addressof(array), shared, None)
        del values

    def limit_launches(self, seconds: float) -> None:
        """Let the CPU device end launches that take longer, and say where they were; a GPU has its driver for that."""
        if self.is_cpu:
            os.environ["HIPIFY_PY_CPU_TIMEOUT"] = f"{seconds:g}"

    def allow_shared(self, kernel: int, size: int) -> None:
        """Let a kernel have more dynamic shared memory than 48 KiB."""
        attribute = self.hip.hipFuncAttribute.hipFuncAttributeMaxDynamicSharedMemorySize
        self.call("hipFuncSetAttribute", kernel, attribute, size)

    def timer(self) -> Timer:
        """A stopwatch of the device; start and stop it around launches."""
        return Timer(self, self.call("hipEventCreate"), self.call("hipEventCreate"))

    def launch(
        self, function: Handle, *, grid: Dim, block: Dim, arguments: Sequence[Handle], shared: int = 0, cooperative: bool = False,
    ) -> None:
        """Launch a kernel and wait for its end. Arguments are buffers and values of ctypes.

        Raises:
            DeviceError: the launch or the kernel has failed.
        """
        # By pointers: hip-python's own packing of a tuple places a record at a multiple of its size.
        values, array = _pointers(arguments)
        if cooperative:
            self.call("hipModuleLaunchCooperativeKernel", function, *grid, *block, shared, None, ctypes.addressof(array))
        else:
            self.call("hipModuleLaunchKernel", function, *grid, *block, shared, None, ctypes.addressof(array), None)
        del values
        self.synchronize()

    def synchronize(self) -> None:
        """Wait for all work of the device."""
        self.call("hipDeviceSynchronize")

    def elapsed(self, start: Handle, stop: Handle) -> float:
        """Milliseconds between two recorded events."""
        return float(self.call("hipEventElapsedTime", start, stop))


@dataclass(slots=True)
class Timer:
    """Two events; the time between them is the device's own."""

    device: Device
    begin: Handle
    end: Handle

    def start(self) -> None:
        """Begin."""
        self.device.call("hipEventRecord", self.begin, None)

    def stop(self) -> float:
        """End, wait for it; milliseconds."""
        self.device.call("hipEventRecord", self.end, None)
        self.device.call("hipEventSynchronize", self.end)
        return self.device.elapsed(self.begin, self.end)

    def close(self) -> None:
        """Give the events back."""
        for event in (self.begin, self.end):
            self.device.hip.hipEventDestroy(event)


def _pointers(arguments: Sequence[Handle]) -> tuple[list[Handle], Handle]:
    """The values, kept alive, and the array of their addresses that a launch takes."""
    plain = (ctypes._SimpleCData, ctypes.Structure, ctypes.Array)
    values = [value if isinstance(value, plain) else ctypes.c_void_p(int(value)) for value in arguments]
    return values, (ctypes.c_void_p * max(len(values), 1))(*(ctypes.addressof(value) for value in values))


def flush_output() -> None:
    """Write out what kernels have printed before Python prints on."""
    sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)
