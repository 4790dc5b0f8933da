import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import { siteOf } from '../page/normalizeUrl'
import type { SourceRow } from './readSource'

/** Pages of a site that are compared: those with the shortest addresses. */
const MOST_PAGES = 200
const MOST_BLOCKS = 1_000
/** A block that this many pages say, and more than a third of them, belongs to the site and not to the page. */
const LEAST_PAGES = 3

/**
 * What a page says that many pages of its site say, too, as hashes (`blockHashes`): addresses, notices, what is on
 * offer. Not on the page with the shortest address among these, so that each is found once, mostly on the first page.
 */
export async function repeatedBlocks(
  db: Db,
  { project_id, chatbot_id, url }: Pick<SourceRow, 'project_id' | 'chatbot_id' | 'url'>,
): Promise<number[]> {
  if (url === null || !URL.canParse(url)) return []
  const { rows } = await sql<{ block: string }>`
    with pages as (
      select url, blocks from knowledge_sources
      where project_id = ${project_id} and chatbot_id = ${chatbot_id} and kind = 'link' and blocks is not null
        and status <> 'error' and substring(lower(url) from '^https?://(?:www\\.)?([^/?#]+)') = ${siteOf(url)}
      order by length(url), url limit ${MOST_PAGES})
    select block from (select unnest(blocks) as block, url from pages) as said
    group by block
    having count(*) >= ${LEAST_PAGES} and count(*) * 3 > (select count(*) from pages)
      and (array_agg(url order by length(url), url))[1] <> ${url}
    limit ${MOST_BLOCKS}`.execute(db)
  return rows.map(({ block }) => Number(block))
}
