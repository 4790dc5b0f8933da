import ipaddr from 'ipaddr.js'
import type { ServerContext } from '../context'
import { type AllowedNetwork, parseNetworks } from './addresses'
import { createOutboundStream, type StreamOptions } from './outboundStream'

/** Networks that a project may open: private ones only, since the internet is open anyway. */
const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '::1/128',
  'fc00::/7',
].map((text) => ipaddr.parseCIDR(text))

/** Validates a list of networks: a sentence for the field, or null. */
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
 * The private networks that a project's calls may reach (requests, pages of its sources, tool servers, models): those
 * of the installation, and those opened by its owner, if the installation allows that. Call it for each request: a
 * change takes effect at once.
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

/** `createOutboundStream` with the networks of one project. */
export function createProjectStream(
  context: Pick<ServerContext, 'db' | 'config'>,
  projectId: string,
  options: Pick<StreamOptions, 'most' | 'redirects'> = {},
): typeof globalThis.fetch {
  return async (input, init) =>
    createOutboundStream({ ...options, allowed: await networksOf(context, projectId) })(input, init)
}
