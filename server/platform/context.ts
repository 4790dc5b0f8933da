import { join } from 'node:path'
import type { Bus } from './bus/bus'
import { createBus } from './bus/createBus'
import type { EffectHandlers } from './effects/handleEffect'
import { createFileStore, type FileStore } from './files/files'
import { type Admission, createAdmission, type GateLimits, type Load } from './http/admission'
import { createLimits, type Limits } from './http/limits'
import type { Installation } from './installation'
import { createJobs, type Jobs } from './jobs/createJobs'

/** What every part of the server is given: the installation, and what one process has one of. */
export interface ServerContext extends Installation {
  jobs: Jobs
  bus: Bus
  /** what people and visitors upload */
  files: FileStore
  /** the places for calls that take much */
  admission: Admission
  /** how often callers may do something */
  limits: Limits
  /** who carries out what blocks call outside: each module adds its own (modules/composeModules.ts) */
  effects: EffectHandlers
  /** shows something to who runs the server, and to nobody else */
  print(text: string): void
}

interface ContextOptions {
  /** how many calls are worked on at once; those of admission.ts unless said */
  admission?: Readonly<Record<Load, GateLimits>>
  /** the standard output unless said */
  print?: (text: string) => void
}

/** Makes what the parts of one process share; each call makes its own. */
export function createContext(
  installation: Installation,
  { admission, print = (text) => void process.stdout.write(`${text}\n`) }: ContextOptions = {},
): ServerContext {
  return {
    ...installation,
    jobs: createJobs(installation),
    bus: createBus(installation),
    files: createFileStore(join(installation.config.dataDir, 'files'), installation.config.freeSpace),
    admission: createAdmission(installation, admission),
    limits: createLimits(installation),
    effects: new Map(),
    print,
  }
}
