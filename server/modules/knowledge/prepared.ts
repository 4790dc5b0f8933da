import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What the build makes of texts that come with the program, so that a start does not: beside its programs
 * (server/prepare.ts). Sources have none, and make it of the texts themselves.
 */
type Prepared = 'lexicon' | 'usual'

const placeOf = (name: Prepared): string => join(dirname(fileURLToPath(import.meta.url)), `${name}.bin`)

/** Reads what the build made with `read`, or else makes it. @throws what `make` throws */
export async function prepared<Made>(
  name: Prepared,
  read: (bytes: Uint8Array) => Made,
  make: () => Promise<Made>,
): Promise<Made> {
  const bytes = await readFile(placeOf(name)).catch(() => null)
  if (!bytes) return make()
  try {
    return read(bytes)
  } catch {
    return make()
  }
}

/** Writes it beside the program. */
export const writePrepared = (name: Prepared, bytes: Uint8Array): Promise<void> => writeFile(placeOf(name), bytes)
