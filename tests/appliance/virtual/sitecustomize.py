"""Lets the real picamera2 work on libcamera's virtual camera; on the path of the trial's processes only.

Three things are bridged when picamera2 has been imported: a virtual camera has no raw stream to list, its NV12 buffers
want one plane for brightness and one for colour, and there is no display stack (pykms). And one is added: while a file
`hang` or `gone` lies in $FELTSIDE_TRIAL, taking a frame never ends, or fails as with a cable that came off.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
import time
from pathlib import Path
from types import ModuleType

TRIAL = Path(os.environ.get("FELTSIDE_TRIAL", "/nowhere"))


class _Names(type):
    def __getattr__(cls, name):
        return name


class _After(importlib.abc.MetaPathFinder):
    """Finds picamera2 as usual, and has it changed once it is there."""

    busy = False

    def find_spec(self, name, path=None, target=None):
        if name != "picamera2" or _After.busy:
            return None
        _After.busy = True
        spec = importlib.util.find_spec(name)
        _After.busy = False
        real = spec.loader.exec_module

        def exec_module(module):
            real(module)
            change(module.Picamera2)

        spec.loader.exec_module = exec_module
        return spec


def change(kind):
    """Bridge what a virtual camera lacks."""
    import libcamera
    from picamera2.allocators import DmaAllocator

    def raw_modes(self):
        role = libcamera.StreamRole.VideoRecording
        formats = self.camera.generate_configuration([role]).at(0).formats
        return [
            {"format": str(p), "size": (s.width, s.height)} for p in formats.pixel_formats for s in formats.sizes(p)
        ]

    kind._get_raw_modes = raw_modes
    DmaAllocator.allocate = allocate
    capture = kind.capture_request

    def capture_request(self, *args, **more):
        while (TRIAL / "hang").exists():
            time.sleep(3600)
        if (TRIAL / "gone").exists():
            raise RuntimeError("the camera has been disconnected")
        return capture(self, *args, **more)

    kind.capture_request = capture_request


def allocate(self, configuration, _):
    """Allocate buffers of as many planes as their format has."""
    import mmap

    import libcamera

    self.libcamera_fds = []
    self.cleanup()
    for handle in self.open_fds:
        os.close(handle)
    self.frame_buffers, self.open_fds = {}, []
    for stream in configuration:
        bright = stream.stride * stream.size.height
        parts = [bright, stream.frame_size - bright] if str(stream.pixel_format) == "NV12" else [stream.frame_size]
        buffers = []
        for number in range(stream.buffer_count):
            handle = self.dmaHeap.alloc(f"picamera2-{number}", stream.frame_size).get()
            self.open_fds.append(handle)
            planes, offset = [], 0
            for length in parts:
                plane = libcamera.FrameBuffer.Plane()
                plane.fd, plane.offset, plane.length = handle, offset, length
                planes.append(plane)
                offset += length
            self.libcamera_fds.append(planes[0].fd)
            self.mapped_buffers_used[planes[0].fd] = False
            buffer = libcamera.FrameBuffer(planes)
            buffers.append(buffer)
            access = mmap.PROT_READ | mmap.PROT_WRITE
            self.mapped_buffers[buffer] = mmap.mmap(handle, stream.frame_size, mmap.MAP_SHARED, access)
        self.frame_buffers[stream.stream] = buffers


pykms = ModuleType("pykms")
pykms.PixelFormat = _Names("PixelFormat", (), {})
sys.modules.setdefault("pykms", pykms)
sys.meta_path.insert(0, _After())
