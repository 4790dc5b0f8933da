import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'building'
/** ms between two signs of life of who has claimed a folder, and after which without one it counts as lost. */
const SIGN = 1_000
const LOST = 10_000
/** ms between two looks at a folder that another has claimed. */
const LOOK = 50

/** A folder that nobody else works in. */
export interface Claim {
  /** whether another had it meanwhile: what was missing may be there now */
  waited: boolean
  release(): Promise<void>
}

/**
 * Claims a folder for this process, as soon as no other process of this machine has it. One that ended with a claim
 * loses it after ten seconds. Two that take such a claim at the same moment both have it: that costs work twice, and
 * harms nothing.
 * @throws what the file system throws, as if the disk is full
 */
export async function claimFolder(folder: string): Promise<Claim> {
  const path = join(folder, NAME)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let waited = false; ; waited = true) {
    const isOurs = await writeFile(path, '', { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isOurs) return claimed(path, waited)
    const sign = await stat(path).catch(() => null)
    if (sign && Date.now() - sign.mtimeMs > LOST) await rm(path, { force: true })
    else await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

function claimed(path: string, waited: boolean): Claim {
  const live = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, SIGN).unref()
  return {
    waited,
    release() {
      clearInterval(live)
      return rm(path, { force: true }).catch(() => undefined)
    },
  }
}
