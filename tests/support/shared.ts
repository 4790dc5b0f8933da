import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The folder `shared` beside the repository holds flows and texts that other people made, which are not ours to copy. It adds cases where
 * it is there, and what needs it is skipped by name (`test.skipIf(!hasShared(…))`); a clone without it passes with our own texts. This
 * file alone reads it: `npm run check` refuses any other.
 */
const folder = new URL('../../../shared/', import.meta.url)

/** @param path inside that folder, such as `flows/typebot` */
export const sharedPath = (path: string): string => fileURLToPath(new URL(path, folder))

export const hasShared = (path: string): boolean => existsSync(sharedPath(path))

export const readShared = (path: string): string => readFileSync(sharedPath(path), 'utf8')

/** The files of a folder with that ending; none where the folder is not there. */
export const sharedFiles = (path: string, ending: string): string[] =>
  hasShared(path) ? readdirSync(sharedPath(path)).filter((name) => name.endsWith(ending)) : []
