import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The folder `shared` beside the repository holds other people's flows and texts, which can't be part of it. It adds
 * cases if it exists; tests that need it are skipped by name (`test.skipIf(!hasShared(…))`), and a clone without it
 * passes with our own texts. Only this file reads it: `npm run check` refuses any other.
 */
const folder = new URL('../../../shared/', import.meta.url)

/** @param path inside that folder, such as `flows/typebot` */
export const sharedPath = (path: string): string => fileURLToPath(new URL(path, folder))

export const hasShared = (path: string): boolean => existsSync(sharedPath(path))

export const readShared = (path: string): string => readFileSync(sharedPath(path), 'utf8')

/** The files of a folder with that extension; none if the folder is missing. */
export const sharedFiles = (path: string, ending: string): string[] =>
  hasShared(path) ? readdirSync(sharedPath(path)).filter((name) => name.endsWith(ending)) : []
