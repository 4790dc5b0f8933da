import type { Bus } from './bus/bus'
import { createBus } from './bus/createBus'
import type { EffectHandlers } from './effects/handleEffect'
import type { FileStore } from './files/files'
import { openFiles } from './files/openFiles'
import { type Admission, createAdmission, type GateLimits, type Load } from './http/admission'
import { createLimits, type Limits } from './http/limits'
import type { Installation } from './installation'
import { createJobs, type Jobs } from './jobs/createJobs'
import { createMetrics, type Metrics } from './metrics/createMetrics'
import type { OpenStandIns } from './standIns'

/** What every part of the server gets: the installation, and the singletons of one process. */
export interface ServerContext extends Installation {
  jobs: Jobs
  bus: Bus
  /** uploaded files */
  files: FileStore
  /** admission control for expensive calls */
  admission: Admission
  /** rate limits */
  limits: Limits
  /** what this process counts of itself */
  metrics: Metrics
  /** handlers of effects that blocks call: each module adds its own (modules/composeModules.ts) */
  effects: EffectHandlers
  /** shows a text only to the operator */
  print(text: string): void
  /** null: there are no stand-ins of vendors */
  openStandIns: OpenStandIns | null
}

interface ContextOptions {
  /** limits of concurrent calls; default: those of admission.ts */
  admission?: Readonly<Record<Load, GateLimits>>
  /** default: the standard output */
  print?: (text: string) => void
  openStandIns?: OpenStandIns | null
}

/** Creates what the parts of one process share; every call creates new instances. */
export function createContext(
  installation: Installation,
  { admission, print = (text) => void process.stdout.write(`${text}\n`), openStandIns = null }: ContextOptions = {},
): ServerContext {
  const metrics = createMetrics()
  return {
    ...installation,
    metrics,
    jobs: createJobs({ ...installation, metrics }),
    bus: createBus(installation),
    files: openFiles(installation.config),
    admission: createAdmission({ ...installation, metrics }, admission),
    limits: createLimits(installation),
    effects: new Map(),
    print,
    openStandIns,
  }
}
