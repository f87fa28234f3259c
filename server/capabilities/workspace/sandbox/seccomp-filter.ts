import { endianness } from "node:os";

/** Differences between processors: the kernel's name for them, and its numbers of calls. */
interface Architecture {
  readonly audit: number;
  readonly socket: number;
  /** Calls from here on are those of another interface to the same kernel. */
  readonly end: number;
  readonly denied: readonly number[];
}

/**
 * Calls of the kernel that programs in a sandbox have no use for, and through which sandboxes are left: other name spaces
 * and mounts, the kernel's keys (which no name space keeps apart), its debugging and programs, and io_uring, which makes
 * calls past this filter. Numbers are those of the kernel's own tables, `arch/x86/entry/syscalls/syscall_64.tbl` and
 * `include/uapi/asm-generic/unistd.h`; from 424 on they are the same on both.
 */
const SHARED = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442];
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    end: 0x40000000,
    // mount umount2 swapon swapoff reboot init_module delete_module kexec_load add_key request_key keyctl unshare
    // perf_event_open open_by_handle_at setns kcmp finit_module kexec_file_load bpf userfaultfd pivot_root quotactl acct
    denied: [
      165, 166, 167, 168, 169, 175, 176, 246, 248, 249, 250, 272, 298, 304, 308, 312, 313, 320, 321, 323, 155, 179, 163,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    end: 0x40000000,
    denied: [
      40, 39, 224, 225, 142, 105, 106, 104, 217, 218, 219, 97, 241, 265, 268, 272, 273, 294, 280, 282, 41, 60, 89,
    ],
  },
};

/** UNIX, IPv4, IPv6 and netlink: kinds that network name spaces keep apart. Of others, like vsock, some reach the host. */
const FAMILIES = [1, 2, 10, 16];

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050000 | 1;
/** Offsets in the kernel's `struct seccomp_data` of the call's number, the processor, and half of the first argument. */
const NUMBER = 0;
const PROCESSOR = 4;
const FIRST_ARGUMENT = 16;

/** A program for the kernel that refuses those calls, in the form that bubblewrap reads; `undefined` on other processors. */
export function createSeccompFilter(processor: string): Buffer | undefined {
  const architecture = ARCHITECTURES[processor];
  if (architecture === undefined || endianness() !== "LE") return undefined;
  const { audit, socket, end, denied } = architecture;
  const instructions: (readonly [code: number, whenTrue: number, whenFalse: number, value: number])[] = [
    [LOAD, 0, 0, PROCESSOR],
    // A 32-bit program's calls have other numbers.
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_AT_LEAST, 0, 1, end],
    [RETURN, 0, 0, EPERM],
    ...[...denied, ...SHARED].flatMap((call) => [[JUMP_IF_EQUAL, 0, 1, call] as const, [RETURN, 0, 0, EPERM] as const]),
    [JUMP_IF_EQUAL, 1, 0, socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    ...FAMILIES.flatMap((family) => [[JUMP_IF_EQUAL, 0, 1, family] as const, [RETURN, 0, 0, ALLOW] as const]),
    [RETURN, 0, 0, EPERM],
  ];
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [at, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
