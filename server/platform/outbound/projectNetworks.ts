import ipaddr from 'ipaddr.js'
import type { ServerContext } from '../context'
import { type AllowedNetwork, parseNetworks } from './addresses'
import { createOutsideStream } from './outsideStream'

/** What a project may open: networks of its own place, never a part of the internet, which is open as it is. */
const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '::1/128',
  'fc00::/7',
].map((text) => ipaddr.parseCIDR(text))

/** What is wrong with the networks that somebody gives, in a sentence for their field; null where nothing is. */
export function networksProblem(text: string): string | null {
  try {
    const outside = parseNetworks(text).find((network) => !isPrivate(network))
    return outside ? `${outside[0].toString()}/${outside[1]} is no private network` : null
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `"${error.message}" is no network: give addresses or networks with commas, such as 192.168.1.20, 10.0.0.0/8`
  }
}

const isPrivate = ([address, bits]: AllowedNetwork): boolean =>
  PRIVATE.some(([base, least]) => address.kind() === base.kind() && bits >= least && address.match(base, least))

/**
 * The private networks that whatever a project calls may be in (requests, pages of its sources, tool servers, models): those of the
 * installation, and those that its owner has opened, where the installation lets owners do so. Ask for each call: a change counts at once.
 */
export async function networksOf(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  projectId: string,
): Promise<AllowedNetwork[]> {
  if (!config.projectNetworks) return config.outboundAllow
  const row = await db
    .forProject(projectId)
    .selectFrom('projects')
    .select('private_networks')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return [...config.outboundAllow, ...parseNetworks(row?.private_networks ?? '')]
}

/** `createOutsideStream` for what one project calls. */
export function createProjectStream(
  context: Pick<ServerContext, 'db' | 'config'>,
  projectId: string,
): typeof globalThis.fetch {
  return async (input, init) => createOutsideStream({ allowed: await networksOf(context, projectId) })(input, init)
}
