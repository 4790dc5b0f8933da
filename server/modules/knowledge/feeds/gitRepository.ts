import type { ServerContext } from '../../../platform/context'
import { OutboundError } from '../../../platform/outbound/errors'
import { createThreads } from '../../../platform/workers/createThreads'
import { TaskError } from '../../../platform/workers/taskError'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { fileText } from '../git/fileText'
import type { GitFile } from '../git/gitFiles'
import { createGitServers, leavesFilesOut } from '../git/gitServer'
import { GitError } from '../git/pktLines'
import type { Refs } from '../git/refs'
import { readGitBlobs, readGitTree } from '../tasks'
import type { LinkedPage } from '../training/addLinks'
import type { FeedRead, ReadFeed } from './feedRead'

/** Files asked for at once. */
const AT_ONCE = 500
/** Characters of texts taken at one reading; the rest comes with the next ones. */
const MOST_CHARACTERS = 50_000_000
/** Packs of foreign servers are unpacked here, one at a time. */
const LIMITS = { timeMs: 120_000, heapMb: 768 }

/**
 * Lists the text files of a Git repository's branch, and brings the texts of those that are new or have changed. A
 * branch that stands where it stood is not read.
 */
export function createGitReader(context: ServerContext): ReadFeed {
  const servers = createGitServers(context)
  const secrets = createProjectSecrets(context)
  const run = createThreads(LIMITS)

  return async ({ url, most, options, mark }, { owner = '', signal }, { marks, isLeftOut, onFound }) => {
    const { branch = '', folder = '', secret } = options
    const identityOf = (path: string) => `${url}#${path}`

    async function read(): Promise<FeedRead> {
      const token = secret === undefined ? null : ((await secrets.valuesOf(owner, [secret])).get(secret) ?? undefined)
      if (token === undefined)
        return { failed: `The secret “${secret}” does not exist any more. Create it again under Secrets.` }
      const server = servers({ url, owner, token, signal })
      const refs = await server.refs()
      const at = commitOf(refs, branch)
      if (!at) return { failed: branch === '' ? EMPTY : `It has no branch “${branch}”. Check its name.` }
      if (at.commit === mark) return { unchanged: true }
      const known = new Map(Array.from(marks, ([identity, blob]) => [identity.slice(url.length + 1), blob]))
      const answer = await server.fetchCommit(at.commit, refs)
      const tree = await run(readGitTree, { answer, commit: at.commit, folder, most, known }, { owner, signal })
      const { files, more, texts } = tree
      if (files.length === 0 && folder !== '')
        return { failed: `There are no Markdown or text files in the folder “${folder}” of ${at.name}.` }
      await onFound(files.length)
      const wanted = files.filter(({ path, blob }) => {
        const identity = identityOf(path)
        return marks.get(identity) !== blob && !isLeftOut(identity)
      })
      let characters = 0
      const pages: LinkedPage[] = []
      const take = ({ path, blob }: GitFile, text: string) => {
        characters += text.length
        const { title, markdown } = fileText(path, text)
        const article = { url: identityOf(path), mark: blob, content: { markdown, language: null } }
        if (markdown.trim() !== '') pages.push({ url: webAddress(url, at.name, path), title, article })
      }
      for (let from = 0; from < wanted.length && characters < MOST_CHARACTERS; from += AT_ONCE) {
        const some = wanted.slice(from, from + AT_ONCE)
        const blobs = [...new Set(some.map(({ blob }) => blob))].filter((blob) => !texts.has(blob))
        const came =
          blobs.length > 0 && leavesFilesOut(refs)
            ? await run(readGitBlobs, { answer: await server.fetchBlobs(blobs), blobs }, { owner, signal })
            : new Map<string, string>()
        for (const file of some) {
          const text = texts.get(file.blob) ?? came.get(file.blob)
          if (text !== undefined) take(file, text)
        }
      }
      const isCut = characters >= MOST_CHARACTERS
      const note = isCut
        ? 'Its files are too much for one reading: the rest comes when it is read next.'
        : more
          ? `It has more files than are used: these are the first ${most} by their paths. Name a folder, or take more.`
          : null
      const named = files.map(({ path }) => identityOf(path))
      return { title: nameOf(url, folder), pages, named, note, mark: isCut ? null : at.commit }
    }

    return read().catch((error: unknown): FeedRead => {
      if (signal?.aborted) throw error
      return whyUnread(error, new URL(url).host)
    })
  }
}

const EMPTY = 'This repository has no branch yet.'

/** The commit that a branch or tag stands at; the main branch where none is named. */
function commitOf({ commits, main }: Refs, branch: string): { commit: string; name: string } | null {
  const names = branch === '' ? [main ?? '', 'HEAD'] : [`refs/heads/${branch}`, `refs/tags/${branch}`]
  const full = names.find((name) => commits.has(name))
  const commit = full && commits.get(full)
  return commit ? { commit, name: full.replace(/^refs\/(?:heads|tags)\//, '') } : null
}

function whyUnread(error: unknown, host: string): { failed: string } {
  if (error instanceof OutboundError) return { failed: error.message }
  // a thread tells what a task threw by its text alone
  if (error instanceof TaskError) return { failed: `What ${host} answered is too large or damaged, and was not read.` }
  if (!(error instanceof GitError)) throw error
  if (error.code === 'refused') return { failed: error.message }
  if (error.code === 'too_large') return { failed: `It is larger than is read (${error.message}). Use a smaller one.` }
  return {
    failed: `${host} did not answer as a Git server does. Check the address, such as https://github.com/acme/docs.`,
  }
}

/** The repository's path, and the folder of it. */
const nameOf = (url: string, folder: string): string =>
  [new URL(url).pathname.replace(/^\/|(?:\.git)?\/?$/g, '') || new URL(url).host, folder].filter(Boolean).join(' / ')

/** Where a server shows a file to people. */
function webAddress(url: string, branch: string, path: string): string {
  const base = url.replace(/(?:\.git)?\/?$/, '')
  const { hostname } = new URL(url)
  const [, view = '/blob'] = VIEWS.find(([host]) => host.test(hostname)) ?? []
  return `${base}${view}/${encodeURI(branch)}/${path.split('/').map(encodeURIComponent).join('/')}`
}
const VIEWS: readonly (readonly [RegExp, string])[] = [
  [/gitlab/, '/-/blob'],
  [/^bitbucket\.org$/, '/src'],
  [/^codeberg\.org$|gitea|forgejo/, '/src/branch'],
]
