import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import { operatorNetworks } from '../../../platform/outbound/operatorNetworks'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { versionOf } from './versions'

/** Releases at GitHub come with their notes and a list of files. */
const MOST_BYTES = 1_000_000
/** What is read of a release; the rest is whatever its publisher writes. */
const release = z.object({ tag_name: z.string().max(100) })

/**
 * Creates what asks the operator's feed for the newest version, and keeps it in the installation's row. The request
 * says nothing of this installation, and follows no redirect: only the named address is called. Without UPDATE_CHECK
 * nothing is asked.
 * @returns a function, which throws OutboundError, or an error that names what is wrong with the answer
 */
export function createAskForUpdate({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const fetchOutbound = createOutboundFetch()
  return async (): Promise<void> => {
    const url = config.updateCheck
    if (url === null) return
    const { status, body } = await fetchOutbound({
      ...{ url, headers: [['accept', 'application/json']], allowed: operatorNetworks(url) },
      ...{ maxBytes: MOST_BYTES, larger: 'fail', maxRedirects: 0 },
    })
    if (status !== 200) throw new Error(`UPDATE_CHECK answers ${status}.`)
    const version = readVersion(Buffer.from(body).toString())
    if (version === null) throw new Error('UPDATE_CHECK names no version as "tag_name".')
    await db.updateTable('installation').set({ newest_version: version, newest_asked_at: clock() }).execute()
  }
}

/** @returns null for what is no description of a release */
function readVersion(text: string): string | null {
  try {
    return versionOf(release.parse(JSON.parse(text)).tag_name)
  } catch {
    return null
  }
}
