import { cleanText } from '../../../../engine/values/cleanText'
import type { ProjectDb } from '../../../platform/database/database'

const LONGEST_PAGE = 500
/** Distinct pages that are kept of a conversation. */
const MOST_PAGES = 50

/** A page without its query, which may name the visitor; '' is unknown. */
export function pageOf(address: string | undefined): string {
  if (address === undefined || !URL.canParse(address)) return ''
  const { origin, pathname } = new URL(address)
  return cleanText(origin + pathname).slice(0, LONGEST_PAGE)
}

/**
 * Keeps on which page a visitor came back to a conversation, and when they were last there; where they began stands in
 * the run's start. Nothing is kept of a visit that does not count, of the page that they are on already, and of more
 * than `MOST_PAGES` pages.
 */
export async function notePage(
  db: ProjectDb,
  { id, project_id }: { id: string; project_id: string },
  { url, at }: { url: string | undefined; at: Date },
): Promise<void> {
  const page = pageOf(url)
  if (!/^https?:/.test(page)) return
  const present = await db
    .selectFrom('conversations as c')
    .innerJoin('runs', (join) =>
      join.onRef('runs.conversation_id', '=', 'c.id').onRef('runs.project_id', '=', 'c.project_id'),
    )
    .select(['c.analytics', 'runs.start_event'])
    .select(({ selectFrom }) =>
      selectFrom('page_visits as visits')
        .select('visits.page')
        .whereRef('visits.conversation_id', '=', 'c.id')
        .whereRef('visits.project_id', '=', 'c.project_id')
        .orderBy('visits.visited_at', 'desc')
        .orderBy('visits.id', 'desc')
        .limit(1)
        .as('latest'),
    )
    .where('c.id', '=', id)
    .where('c.environment', 'in', ['production', 'sharing'])
    .orderBy('runs.number')
    .limit(1)
    .executeTakeFirst()
  if (!present?.analytics) return
  if ((present.latest ?? pageOf(present.start_event?.url)) === page) return
  const own = { conversation_id: id, project_id, page }
  const again = await db
    .updateTable('page_visits')
    .set({ visited_at: at })
    .where('conversation_id', '=', id)
    .where('page', '=', page)
    .executeTakeFirst()
  if (again.numUpdatedRows > 0n) return
  const { count } = await db
    .selectFrom('page_visits')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_PAGES) return
  await db
    .insertInto('page_visits')
    .values({ ...own, visited_at: at })
    .execute()
}
