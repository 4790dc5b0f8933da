import { type Call, one } from '../call'
import { refuseSalesforce } from './errors'
import { sameId } from './ids'
import { readField } from './records'
import type { SalesforceRecord, SalesforceState } from './state'

/** `GET support/knowledgeArticles`: what is online in the language, and visible to everybody for the channel Pkb */
export function listArticles(state: SalesforceState, { query, headers, path }: Call) {
  const size = Math.min(100, Number(one(query.pageSize) ?? 20))
  const page = Math.max(1, Number(one(query.pageNumber) ?? 1))
  const q = one(query.q)?.toLowerCase()
  const found = onlineArticles(state, String(headers['accept-language'] ?? ''), one(query.channel)).filter(
    ({ values }) => q === undefined || `${values.Title} ${values.Summary}`.toLowerCase().includes(q),
  )
  const more = found.length > page * size ? `${path}?pageNumber=${page + 1}&pageSize=${size}` : null
  const articles = found.slice((page - 1) * size, page * size).map((article) => presentArticle(article, path))
  return { articles, pageNumber: page, currentPageUrl: path, nextPageUrl: more }
}

/** `GET support/knowledgeArticles/{id}` */
export function showArticle(state: SalesforceState, { query, headers, path, params }: Call) {
  const found = onlineArticles(state, String(headers['accept-language'] ?? ''), one(query.channel)).find((article) =>
    sameId(articleId(article), params.id ?? ''),
  )
  if (!found) throw refuseSalesforce(404, 'NOT_FOUND', 'The requested resource does not exist')
  const fields =
    state.objects.find(({ name }) => name === 'Knowledge__kav')?.fields.filter(({ type }) => type === 'textarea') ?? []
  const layoutItems = fields.map(({ name, label, extraTypeInfo }) => {
    const value = readField(found, name)
    return {
      name,
      label,
      type: extraTypeInfo === 'richtextarea' ? 'RICH_TEXT_AREA' : 'TEXT_AREA',
      value: value === null ? null : String(value),
    }
  })
  return { ...presentArticle(found, path.slice(0, path.lastIndexOf('/'))), layoutItems }
}

function onlineArticles(state: SalesforceState, language: string, channel = 'App'): SalesforceRecord[] {
  if (!state.objects.some(({ name }) => name === 'Knowledge__kav'))
    throw refuseSalesforce(404, 'NOT_FOUND', 'The requested resource does not exist')
  const wanted = language.split(',')[0]?.split(';')[0]?.trim().replace('-', '_').toLowerCase() ?? ''
  return [...state.records.values()].filter(({ sobject, values }) => {
    if (sobject !== 'Knowledge__kav' || values.PublishStatus !== 'Online') return false
    const spoken = String(values.Language).toLowerCase()
    return (
      (spoken === wanted || spoken.split('_')[0] === wanted) && (channel !== 'Pkb' || values.IsVisibleInPkb === true)
    )
  })
}

/** An article has one id for all its versions and languages. */
const articleId = ({ id, values }: SalesforceRecord): string => String(values.KnowledgeArticleId ?? id)

const presentArticle = (article: SalesforceRecord, base: string) => ({
  id: articleId(article),
  articleNumber: article.id.slice(-6),
  title: String(article.values.Title),
  summary: article.values.Summary ?? null,
  url: `${base}/${articleId(article)}`,
  urlName: String(article.values.UrlName ?? article.id),
  lastPublishedDate: String(article.values.LastPublishedDate ?? article.changed.toISOString()),
})
