import type { ServerContext } from '../../../platform/context'
import {
  createOutboundFetch,
  type OutboundFetch,
  type OutboundResponse,
} from '../../../platform/outbound/outboundFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { FLUSH, GitError, pktLine } from './pktLines'
import { type Refs, readRefs } from './refs'

/** Bytes of the list of branches, and of a pack as it comes. */
const MOST_REFS = 20_000_000
const MOST_PACK = 100_000_000
const REFS_MS = 30_000
const PACK_MS = 5 * 60_000
const DELIMITER = '0001'

export interface GitServer {
  refs(): Promise<Refs>
  /** A commit's folders, and its files where the server does not leave them out. @returns the answer as it came */
  fetchCommit(commit: string, refs: Refs): Promise<Uint8Array>
  /** Files by their names, of a server that leaves them out of commits. */
  fetchBlobs(blobs: readonly string[]): Promise<Uint8Array>
}

/** A project's call of a repository. */
export interface GitPlace {
  url: string
  owner: string
  /** sent to the repository's own origin alone */
  token: string | null
  signal: AbortSignal | undefined
}

/** Whether a server is asked for files apart from folders, so that only those come that are new. */
export const leavesFilesOut = ({ offers }: Refs): boolean => offers.has('filter')

/**
 * Creates the way to Git's smart HTTP protocol, through the guarded fetch.
 * @see https://git-scm.com/docs/http-protocol
 */
export function createGitServers(context: Pick<ServerContext, 'db' | 'config'>) {
  const fetchOutbound: OutboundFetch = createOutboundFetch({ allowed: context.config.outboundAllow })

  return ({ url, owner, token, signal }: GitPlace): GitServer => {
    const base = url.replace(/\/$/, '')
    const secret = token === null ? [] : [['authorization', basic(new URL(url).hostname, token)] as const]
    const ask = async (path: string, more: object): Promise<OutboundResponse> => {
      const allowed = await networksOf(context, owner)
      const answer = await fetchOutbound({
        url: `${base}${path}`,
        larger: 'fail',
        allowed,
        ...(signal && { signal }),
        ...more,
      })
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) throw new GitError('refused', CLOSED)
      if (answer.status >= 300) throw new GitError('refused', `It answered with status ${answer.status}.`)
      return answer
    }
    const upload = async (body: string, protocol: readonly (readonly [string, string])[] = []) => {
      const answer = await ask('/git-upload-pack', {
        method: 'POST',
        body,
        headers: [
          ['content-type', 'application/x-git-upload-pack-request'],
          ['accept', 'application/x-git-upload-pack-result'],
          ...protocol,
          ...secret,
        ],
        maxBytes: MOST_PACK,
        timeoutMs: PACK_MS,
      })
      return answer.body
    }
    return {
      async refs() {
        const answer = await ask('/info/refs?service=git-upload-pack', {
          headers: secret,
          maxBytes: MOST_REFS,
          timeoutMs: REFS_MS,
        })
        if (!/x-git-upload-pack-advertisement/.test(answer.headers['content-type'] ?? '')) throw new GitError('damaged')
        return readRefs(answer.body)
      },
      fetchCommit(commit, refs) {
        const offers = ['side-band-64k', 'ofs-delta', 'no-progress', 'shallow', 'filter'].filter((each) =>
          refs.offers.has(each),
        )
        const lines = [
          pktLine(`want ${commit} ${offers.filter((each) => each !== 'shallow').join(' ')} agent=parley\n`),
          refs.offers.has('shallow') ? pktLine('deepen 1\n') : '',
          leavesFilesOut(refs) ? pktLine('filter blob:none\n') : '',
        ]
        return upload(`${lines.join('')}${FLUSH}${pktLine('done\n')}`)
      },
      // version 2 gives any object; 0 only what branches stand at
      fetchBlobs(blobs) {
        const wants = blobs.map((blob) => pktLine(`want ${blob}\n`)).join('')
        const head = `${pktLine('command=fetch\n')}${pktLine('agent=parley\n')}${DELIMITER}`
        const body = `${head}${pktLine('ofs-delta\n')}${pktLine('no-progress\n')}${wants}${pktLine('done\n')}${FLUSH}`
        return upload(body, [['git-protocol', 'version=2']])
      },
    }
  }
}

const CLOSED = 'It asks for a log-in, or is not there. Check the address; a private repository needs an access token.'

/** How servers take a token in place of a password. */
const basic = (host: string, token: string): string =>
  `Basic ${Buffer.from(`${host === 'bitbucket.org' ? 'x-token-auth' : 'oauth2'}:${token}`).toString('base64')}`
