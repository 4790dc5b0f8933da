import { StartError } from '../platform/database/startError'
import { FIRST_PORT, openVendors } from './openVendors'
import { sandboxVendors } from './vendors'

type Env = Record<string, string | undefined>

export interface Sandbox {
  /** the page of all vendors */
  url: string
  /** the environment in which the server talks to the stand-ins, and keeps its data apart */
  env: Env
  close(): Promise<void>
}

/** What other installations share, which a sandbox must not reach. */
const SHARED = ['DATABASE_URL', 'REDIS_URL']

/**
 * Starts the stand-ins of all vendors on loopback.
 * @param firstPort 0: any that are free
 * @param known variables that the server reads: a vendor whose variables it does not read can't be connected yet
 * @throws StartError beside a real client or key of a vendor, and beside a database or Redis that others may share
 */
export async function openSandbox(
  env: Env,
  clock: () => Date,
  known: ReadonlySet<string>,
  firstPort = FIRST_PORT,
): Promise<Sandbox> {
  const real = sandboxVendors.flatMap(({ variables }) => variables).filter((name) => env[name])
  if (real.length > 0)
    throw new StartError(
      `--sandbox never runs beside a real vendor, and ${real.join(', ')} ${real.length > 1 ? 'are' : 'is'} set: unset ${real.length > 1 ? 'them' : 'it'}, or start without --sandbox`,
    )
  const shared = SHARED.find((name) => env[name])
  if (shared)
    throw new StartError(`--sandbox keeps its data apart, and ${shared} is set: unset it, or start without --sandbox`)

  const serverPort = env.PORT || '3000'
  const server = serverPort === '0' ? null : `http://127.0.0.1:${serverPort}`
  const { url, env: vendors, close } = await openVendors(sandboxVendors, { clock, server, known, firstPort })
  return { url, env: { ...env, ...vendors, DATA_DIR: `${env.DATA_DIR || 'data'}-sandbox` }, close }
}
