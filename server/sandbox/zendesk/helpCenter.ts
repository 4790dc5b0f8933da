import { type Call, one } from '../call'
import { refuseZendesk } from './errors'
import type { Article, ZendeskState } from './state'
import { writeTime } from './tickets'

/** Articles of one page of the incremental list. */
const INCREMENTAL_PAGE = 1_000

/** @returns a list page by page, by cursors, as lists of the Help Center have them */
export function pageOf<T extends { id: number }>(name: string, all: readonly T[], call: Call, origin: string) {
  const size = Math.min(100, Number(one(call.query['page[size]']) ?? 30))
  const after = one(call.query['page[after]'])
  const from = after === undefined ? 0 : Number(Buffer.from(after, 'base64url').toString())
  if (!Number.isInteger(from))
    throw refuseZendesk(400, 'InvalidPaginationParameter', { description: 'page[after] is not valid' })
  const page = all.slice(from, from + size)
  const has_more = from + size < all.length
  const cursor = Buffer.from(String(from + size)).toString('base64url')
  const next = `${origin}${call.path}?page[size]=${size}&page[after]=${cursor}`
  return {
    [name]: page,
    meta: { has_more, after_cursor: has_more ? cursor : null, before_cursor: null },
    links: { next: has_more ? next : null, prev: null },
  }
}

/** Without a token one sees what everybody may read. */
const seenBy =
  ({ grant }: Call) =>
  ({ draft, userSegmentId }: Article): boolean =>
    grant !== undefined || (!draft && userSegmentId === null)

/** `GET help_center/articles` and `help_center/{locale}/articles` */
export function listArticles(state: ZendeskState, call: Call) {
  const { locale } = call.params
  const labels = one(call.query.label_names)?.split(',')
  const name = one(call.query.sort_by) ?? 'position'
  const time = name === 'created_at' ? 'createdAt' : name === 'edited_at' ? 'editedAt' : 'updatedAt'
  const sign = one(call.query.sort_order) === 'asc' ? 1 : -1
  const found = state.articles
    .filter(seenBy(call))
    .filter((article) => locale === undefined || article.locale.toLowerCase() === locale.toLowerCase())
    .filter((article) => labels === undefined || labels.some((label) => article.labels.includes(label)))
    .sort((a, b) => {
      if (name === 'title') return sign * a.title.localeCompare(b.title)
      return name === 'position' ? a.id - b.id : sign * (a[time].getTime() - b[time].getTime()) || a.id - b.id
    })
  const origin = state.origin()
  return pageOf(
    'articles',
    found.map((article) => presentArticle(article, origin)),
    call,
    origin,
  )
}

/** `GET help_center/incremental/articles`: what was changed since, without what was deleted */
export function changedArticles(state: ZendeskState, { query, path }: Call) {
  const start = Number(one(query.start_time)) * 1_000
  const all = state.articles
    .filter(({ updatedAt }) => updatedAt.getTime() >= start)
    .sort((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime() || a.id - b.id)
  const page = all.slice(0, INCREMENTAL_PAGE)
  const last = page.at(-1)?.updatedAt ?? state.clock()
  const end_time = Math.floor(last.getTime() / 1_000)
  const next_page = all.length > INCREMENTAL_PAGE ? `${state.origin()}${path}?start_time=${end_time}` : null
  return {
    articles: page.map((article) => presentArticle(article, state.origin())),
    count: page.length,
    next_page,
    end_time,
  }
}

export function showArticle(state: ZendeskState, call: Call) {
  const { params } = call
  const found = state.articles
    .filter(seenBy(call))
    .find(({ id, locale }) => id === Number(params.id) && locale === params.locale)
  if (!found) throw refuseZendesk(404, 'RecordNotFound', { description: 'Not found' })
  return { article: presentArticle(found, state.origin()) }
}

const presentArticle = (article: Article, origin: string) => ({
  id: article.id,
  url: `${origin}/api/v2/help_center/${article.locale}/articles/${article.id}.json`,
  html_url: `${origin}/hc/${article.locale}/articles/${article.id}`,
  title: article.title,
  body: article.body,
  locale: article.locale,
  source_locale: article.locale,
  outdated: false,
  draft: article.draft,
  promoted: false,
  position: 0,
  section_id: article.sectionId,
  author_id: 1,
  user_segment_id: article.userSegmentId,
  permission_group_id: 1,
  label_names: article.labels,
  vote_sum: 0,
  vote_count: 0,
  comments_disabled: true,
  created_at: writeTime(article.createdAt),
  updated_at: writeTime(article.updatedAt),
  edited_at: writeTime(article.editedAt),
})
