import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where files lie, as far as it says which installation they belong to. */
export interface FilesPlace {
  /** in messages */
  name: string
  /** the installation that it is bound to; null: none */
  read(): Promise<string | null>
  /** @returns false if another database's process was faster */
  write(id: string, replace: boolean): Promise<boolean>
  holdsFiles(): Promise<boolean>
}

/** Names the installation that a folder of files belongs to. It lies among the files, so that copies contain it. */
const NAME_FILE = 'installation-id'
/** A project's folder. */
const AREA = /^\d+$/

/** A folder of files; it need not be there. */
export function folderPlace(folder: string): FilesPlace {
  const path = join(folder, NAME_FILE)
  const read = async () => {
    try {
      return (await readFile(path, 'utf8')).trim() || null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }
  return {
    name: folder,
    read,
    async write(id, replace) {
      await mkdir(folder, { recursive: true })
      const fresh = `${path}-${randomUUID()}`
      await writeFile(fresh, `${id}\n`)
      try {
        // a name appears completely, and a second one does not replace it
        if (replace) await rename(fresh, path)
        else await link(fresh, path)
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await read()) === id
        throw error
      } finally {
        await rm(fresh, { force: true })
      }
    },
    async holdsFiles() {
      for (const name of await readdir(folder).catch(() => [])) {
        if (AREA.test(name) && (await readdir(join(folder, name))).length > 0) return true
      }
      return false
    },
  }
}
