import type { ServerContext } from '../../../platform/context'
import type { ConversationRef } from '../conversations/conversationRef'
import { MINUTE } from './noteAnswers'

/** Conversations whose visitors have a page open in this process. */
export interface Watchers {
  /** Notes that a page is open, at once and each minute, until the returned function is called. */
  watch(ref: Pick<ConversationRef, 'id' | 'project_id'>): () => void
  /** Notes all that are open now; resolves when those opened before are noted as well. */
  note(): Promise<void>
}

/** The most conversations that are noted by one statement. */
const AT_ONCE = 1_000

/**
 * Keeps `mail_threads.watched_at` of conversations whose page is open, so that what people answer is not mailed
 * meanwhile; conversations whose answers are not mailed have no such row. One statement for many, since ten thousand
 * idle pages that each write once a minute keep the process busy and its memory from being given back.
 */
export function createWatchers({ db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>): Watchers {
  /** by project and conversation: how many pages */
  const projects = new Map<string, Map<string, number>>()
  const opening = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined

  const noteThese = (projectId: string, ids: string[]) =>
    db
      .forProject(projectId)
      .updateTable('mail_threads')
      .set({ watched_at: clock() })
      .where('conversation_id', 'in', ids)
      .execute()

  const logged = (noting: Promise<unknown>) =>
    noting.catch((error) => log.warn({ err: error }, 'open pages were not noted'))

  /** Apart from `watch`, whose functions stay for as long as the page does. */
  function noteOpened(projectId: string, id: string): void {
    const noting = logged(noteThese(projectId, [id])).finally(() => opening.delete(noting))
    opening.add(noting)
  }

  async function note(): Promise<void> {
    await Promise.all(opening)
    for (const [projectId, pages] of projects) {
      const ids = [...pages.keys()]
      for (let at = 0; at < ids.length; at += AT_ONCE) await noteThese(projectId, ids.slice(at, at + AT_ONCE))
    }
  }

  return {
    note,
    watch({ id, project_id }) {
      const pages = projects.get(project_id) ?? new Map<string, number>()
      projects.set(project_id, pages)
      pages.set(id, (pages.get(id) ?? 0) + 1)
      timer ??= setInterval(() => logged(note()), MINUTE).unref()
      noteOpened(project_id, id)
      return () => {
        const left = (pages.get(id) ?? 1) - 1
        if (left > 0) return void pages.set(id, left)
        pages.delete(id)
        if (pages.size > 0 || projects.get(project_id) !== pages) return
        projects.delete(project_id)
        if (projects.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
