import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import {
  judge,
  mountOf,
  parseMountCommand,
  parseMountinfo,
  typeOfMagic
} from "../../../src/storage/sqlite/FileSystemKind.ts"

describe("a file system", () => {
  it("is trusted when it is a disk of this machine, and refused when another machine has it too", () => {
    for (const type of ["ext4", "xfs", "btrfs", "zfs", "apfs", "ntfs", "tmpfs", "overlay"]) {
      assert.deepStrictEqual(judge(type), {
        filesystemPosture: "supported-local",
        reasonCode: "local-filesystem"
      })
    }
    for (const type of [
      "nfs",
      "nfs4",
      "cifs",
      "smb3",
      "9p",
      "fuse.sshfs",
      "fuse.s3fs",
      "ceph",
      "glusterfs"
    ]) {
      assert.deepStrictEqual(judge(type), {
        filesystemPosture: "known-unsafe",
        reasonCode: "network-filesystem"
      })
    }
    for (const type of ["vboxsf", "vmhgfs", "prl_fs", "drvfs"]) {
      assert.deepStrictEqual(judge(type), {
        filesystemPosture: "known-unsafe",
        reasonCode: "shared-folder"
      })
    }
  })

  it("that nobody has heard of is neither", () => {
    for (const type of ["", "fuse", "fuse.mergerfs", "virtiofs", "newfs", "constructor", "__proto__"]) {
      assert.deepStrictEqual(judge(type), {
        filesystemPosture: "unknown",
        reasonCode: "unrecognized-filesystem"
      })
    }
  })

  it("is that of the deepest mount, and of the last of several at one place", () => {
    const mounts = [
      { at: "/", type: "ext4" },
      { at: "/srv", type: "nfs" },
      { at: "/srv/data", type: "xfs" },
      { at: "/srv/data", type: "tmpfs" }
    ]
    const at = (path: string) => mountOf(mounts, path)?.type
    assert.strictEqual(at("/"), "ext4")
    assert.strictEqual(at("/home"), "ext4")
    assert.strictEqual(at("/srvother"), "ext4")
    assert.strictEqual(at("/srv"), "nfs")
    assert.strictEqual(at("/srv/database"), "nfs")
    assert.strictEqual(at("/srv/data/muster"), "tmpfs")
    assert.isUndefined(mountOf([], "/srv"))
  })

  it("is read from what Linux says of its mounts, optional fields and odd names included", () => {
    const text = [
      "36 35 98:0 / / rw,noatime master:1 - ext4 /dev/root rw,errors=continue",
      "37 36 0:44 /share /mnt/with\\040blank rw shared:2 master:3 - cifs //server/share rw",
      "38 36 0:45 / /plain rw - fuse.sshfs me@there:/ rw",
      "39 36 0:46 / /broken rw",
      ""
    ].join("\n")
    assert.deepStrictEqual(parseMountinfo(text), [
      { at: "/", type: "ext4" },
      { at: "/mnt/with blank", type: "cifs" },
      { at: "/plain", type: "fuse.sshfs" }
    ])
  })

  it("is read from what macOS says of its mounts", () => {
    const text = [
      "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)",
      "//me@server/share on /Volumes/share on (a) disk (smbfs, nodev, nosuid)",
      "map auto_home on /System/Volumes/Data/home (autofs, automounted)"
    ].join("\n")
    assert.deepStrictEqual(parseMountCommand(text), [
      { at: "/", type: "apfs" },
      { at: "/Volumes/share on (a) disk", type: "smbfs" },
      { at: "/System/Volumes/Data/home", type: "autofs" }
    ])
  })

  it("is told by its number where there is no table, with the sign that some systems give it", () => {
    assert.strictEqual(typeOfMagic(0xef53), "ext4")
    assert.strictEqual(typeOfMagic(0x6969), "nfs")
    assert.strictEqual(typeOfMagic(0xff534d42), "cifs")
    assert.strictEqual(typeOfMagic(0xff534d42 | 0), "cifs")
    assert.isUndefined(typeOfMagic(1))
  })

  it("is never read out of text that says something else", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), (text) => {
        for (const { at, type } of [...parseMountinfo(text), ...parseMountCommand(text)]) {
          assert.isString(at)
          assert.isString(type)
        }
      })
    )
  })
})
