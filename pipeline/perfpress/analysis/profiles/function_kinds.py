"""Classifies functions by name: allocator, memory and strings, locks.

The table is data. A pattern means what a name in the path language means: a whole end of a
function's key at `::`, template arguments left out; `*` matches any text.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from perfpress.analysis.paths.names import LONGEST_NAME, fits, starts, without_templates
from perfpress.analysis.profiles.profile import Profile

FunctionKind = str
"""A key of `FUNCTION_KINDS`, or `OTHER`."""

OTHER = "other"

FUNCTION_KINDS: Mapping[FunctionKind, tuple[str, ...]] = MappingProxyType(
    {
        "allocator": (
            # C, and glibc's insides: _int_malloc, unlink_chunk, tcache_get_n
            *("malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign"),
            *("aligned_alloc", "posix_memalign", "valloc", "malloc_*", "__libc_malloc*"),
            *("__libc_calloc*", "__libc_realloc*", "__libc_free*", "__libc_memalign*"),
            *("__GI___libc_malloc*", "__GI___libc_free*", "__GI___libc_realloc*", "_int_malloc"),
            *("_int_free*", "_int_realloc*", "_int_memalign*", "unlink_chunk*", "sysmalloc*"),
            *("systrim*", "heap_trim*", "tcache_*", "arena_get*"),
            # C++: operator new[](unsigned long) has the key `operator new[]`
            *("operator new", "operator new[]", "operator delete", "operator delete[]"),
            *("new_allocator::*", "std::allocator::*", "std::pmr::*"),
            # jemalloc, tcmalloc, mimalloc (MyISAM's functions begin with mi_ as well)
            *("je_*", "jemalloc*", "arena_malloc*", "arena_dalloc*", "arena_slab_*"),
            *("mallocx", "rallocx", "sdallocx", "dallocx", "tc_malloc*", "tc_calloc*"),
            *("tc_realloc*", "tc_free*", "tc_new*", "tc_delete*", "tc_memalign*", "tcmalloc::*"),
            *("TCMalloc*", "mi_malloc*", "mi_calloc*", "mi_realloc*", "mi_free*", "mi_heap_*"),
            *("_mi_malloc*", "_mi_free*", "_mi_page_*", "_mi_heap_*", "_mi_segment_*"),
            # PostgreSQL: palloc0, AllocSetAlloc, MemoryContextReset
            *("palloc*", "repalloc*", "pfree", "AllocSet*", "MemoryContext*", "MemoryChunk*"),
            *("GenerationAlloc*", "GenerationFree*", "SlabAlloc*", "SlabFree*", "BumpAlloc*"),
            # MySQL, MariaDB, InnoDB, RocksDB: my_malloc, alloc_root, mem_heap_block_free
            *("my_malloc*", "my_realloc*", "my_free*", "alloc_root*", "multi_alloc_root*"),
            *("free_root*", "MEM_ROOT::*", "mem_heap_*", "ut_malloc*", "ut_free*"),
            *("ut_allocator::*", "Arena::*", "ConcurrentArena::*"),
            # Go, Rust
            *("runtime.mallocgc*", "runtime.newobject*", "runtime.makeslice*"),
            *("runtime.growslice*", "runtime.nextFreeFast*", "__rust_alloc*", "__rust_dealloc*"),
            *("__rust_realloc*", "__rdl_*", "__rg_*", "alloc::alloc::*"),
            # Linux: kmem_cache_alloc, ___slab_alloc, get_page_from_freelist
            *("kmalloc*", "__kmalloc*", "kfree", "kvmalloc*", "kvfree", "kmem_cache_*"),
            *(
                "__kmem_cache_*",
                "__slab_*",
                "___slab_*",
                "__memcg_slab_*",
                "alloc_pages*",
                "__alloc_pages*",
            ),
            *("get_page_from_freelist", "rmqueue*", "__rmqueue*", "free_pages*", "__free_pages*"),
            *("free_unref_*", "free_pcppages_bulk", "__free_one_page", "vmalloc*", "vfree"),
        ),
        "memory": (
            # C; the key of __memcmp_evex_movbe is memcmp already
            *("memcpy", "memmove", "memset", "memcmp", "memchr", "memrchr", "rawmemchr", "mempcpy"),
            *("memccpy", "memmem", "bcmp", "bcopy", "bzero", "explicit_bzero"),
            *("__memcpy*", "__memmove*", "__memset*", "__memcmp*", "__memchr*", "__mempcpy*"),
            *("strlen", "strnlen", "strcmp", "strncmp", "strcasecmp*", "strncasecmp*", "strcpy"),
            *("strncpy", "strcat", "strncat", "stpcpy", "stpncpy", "strlcpy", "strlcat"),
            *("strchr", "strrchr", "strchrnul", "strstr", "strcasestr", "strspn", "strcspn"),
            *("strpbrk", "strsep", "strtok*", "strdup", "strndup", "strcoll*", "strxfrm*"),
            *("__strlen*", "__strcmp*", "__strncmp*", "__strcasecmp*", "__strncasecmp*"),
            *("__strcpy*", "__strncpy*", "__strchr*", "__strrchr*", "__strcoll*", "__strxfrm*"),
            *("wcslen", "wcscmp", "wcscoll*", "wmemcpy", "wmemset", "wmemcmp"),
            # Go, Rust
            *("runtime.memmove*", "runtime.memclr*", "runtime.memequal*", "bytealg.*"),
            *("internal/bytealg.*", "compiler_builtins::mem::*"),
            # Linux: copy_user_enhanced_fast_string, rep_movs_alternative
            *("mem*_erms", "mem*_orig", "copy_user_*", "__copy_user_*", "_copy_to_user"),
            *("_copy_from_user", "_copy_to_iter", "_copy_from_iter*", "copy_page*", "clear_page"),
            *("clear_page_erms", "clear_page_rep", "clear_page_orig", "clear_user_*"),
            *("clear_huge_page*", "rep_movs_*", "rep_stos_*"),
        ),
        "locks": (
            # POSIX threads and the futexes below them
            *("pthread_mutex_*", "__pthread_mutex_*", "___pthread_mutex_*", "pthread_cond_*"),
            *("__pthread_cond_*", "___pthread_cond_*", "pthread_rwlock_*", "__pthread_rwlock_*"),
            *("___pthread_rwlock_*", "pthread_spin_*", "__lll_*", "lll_*", "sem_wait", "sem_post"),
            *("sem_timedwait", "__new_sem_*", "__GI___pthread_mutex_*", "futex_*", "__futex_*"),
            *("do_futex", "__x64_sys_futex", "__do_sys_futex"),
            # C++, Rust, Go
            *("std::mutex::*", "std::shared_mutex::*", "std::recursive_mutex::*"),
            *("std::unique_lock::*", "std::lock_guard::*", "std::scoped_lock::*"),
            *("std::shared_lock::*", "std::condition_variable::*", "absl::Mutex::*"),
            *("parking_lot::*", "parking_lot_core::*", "std::sys::sync::*", "sync.*Mutex*"),
            *("runtime.lock*", "runtime.unlock*", "runtime.futex*", "runtime.sem*"),
            # PostgreSQL: LWLockAcquire, s_lock; its table of heavyweight locks is not one of these
            *("LWLock*", "s_lock", "perform_spin_delay", "finish_spin_delay", "PGSemaphore*"),
            # InnoDB, MySQL, MariaDB, RocksDB: rw_lock_s_lock_spin, PolicyMutex<…>::enter
            *("rw_lock_*", "sync_array_*", "os_event_*", "os_event::*", "PolicyMutex::*"),
            *("TTASEventMutex::*", "TTASMutex::*", "TTASFutexMutex::*", "OSMutex::*"),
            *("mutex_enter*", "mutex_exit*", "ut_delay", "ssux_lock*", "sux_lock*", "srw_lock*"),
            *("srw_mutex*", "srw_spin_*", "inline_mysql_mutex_*", "inline_mysql_rwlock_*"),
            *("inline_mysql_cond_*", "psi_mutex_*", "psi_rwlock_*", "psi_cond_*", "my_mutex_*"),
            *("safe_mutex_*", "native_mutex_*", "native_rw_*", "port::Mutex::*", "SpinMutex::*"),
            *("port::RWMutex::*", "port::CondVar::*", "InstrumentedMutex::*"),
            # Linux. Not _raw_spin_unlock_irqrestore: where interrupts are let through again, a
            # timer's samples of all that ran without them come down.
            *("native_queued_spin_lock_slowpath", "__pv_queued_spin_*", "queued_*_lock_*"),
            *("_raw_spin_lock*", "_raw_spin_trylock*", "_raw_read_lock*", "_raw_write_lock*"),
            *("mutex_lock*", "__mutex_lock*", "mutex_unlock*", "__mutex_unlock*"),
            *("mutex_spin_on_owner", "osq_lock", "osq_unlock", "down_read*", "down_write*"),
            *("up_read", "up_write", "rwsem_*", "percpu_down_*", "percpu_up_*"),
        ),
    }
)
"""By kind; a function belongs to the first kind with a pattern that matches it."""


class FunctionKinds:
    """The kinds of functions, with what a report adds; remembers each name it was asked for."""

    def __init__(self, added: Mapping[FunctionKind, Sequence[str]] = MappingProxyType({})) -> None:
        # What an author says comes first: it can move a function to another kind.
        asked = [(kind, _Patterns(patterns)) for kind, patterns in added.items()]
        asked += [(kind, _Patterns(patterns)) for kind, patterns in FUNCTION_KINDS.items()]
        self._asked = asked
        self._known: dict[str, FunctionKind] = {}

    def of(self, key: str) -> FunctionKind:
        """Return the kind of a function by its name-match key."""
        kind = self._known.get(key)
        if kind is None:
            name = key if len(key) > LONGEST_NAME else without_templates(key)
            found = (kind for kind, patterns in self._asked if patterns.mean(name))
            kind = self._known[key] = next(found, OTHER)
        return kind

    def shares(self, profile: Profile) -> tuple[tuple[FunctionKind, float], ...]:
        """Return the share of each kind in the self weight of a profile, `OTHER` last."""
        kinds = [*FUNCTION_KINDS, OTHER]
        # A thread's name is not a function's: samples without a stack count as other.
        of_name = [
            kinds.index(OTHER if frame_class == "thread" else self.of(key))
            for key, frame_class in zip(profile.keys, profile.classes, strict=True)
        ]
        of_node = np.array(of_name)[profile.name]
        weights = [profile.weight_of(of_node == at) for at in range(len(kinds))]
        return tuple(
            (kind, weight / profile.total if profile.total else 0.0)
            for kind, weight in zip(kinds, weights, strict=True)
        )


class _Patterns:
    """Patterns sorted by how they are compared: a profile has tens of thousands of names."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._whole = frozenset(each for each in patterns if "*" not in each)
        self._beginnings = tuple(each[:-1] for each in patterns if each.find("*") == len(each) - 1)
        self._others = tuple(each for each in patterns if "*" in each[:-1])

    def mean(self, name: str) -> bool:
        """Whether any of the patterns means a name, whole or from one of its parts on."""
        if len(name) > LONGEST_NAME:
            return name in self._whole
        return any(
            name[start:] in self._whole
            or name.startswith(self._beginnings, start)
            or any(fits(pattern, name, start) for pattern in self._others)
            for start in starts(name)
        )
