import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import type { VendorCall } from '../defineVendor'
import { type Described, describe, type Field } from './fields'
import { BASE } from './objects'
import { isSalesforceId } from './values'

/** An article as the list of public ones has it. */
export interface ListedArticle {
  /** of this version */
  id: string
  /** of the article, in all its versions and languages */
  articleId: string
  title: string
  urlName: string
  /** moves when it is edited */
  mark: string
}

const OBJECT = 'Knowledge__kav'
const ABOUT = 'Salesforce Knowledge'
/** Bytes of one answer. */
const MOST_BYTES = 20_000_000
/** Articles whose texts are asked for at once; fewer where they are long. */
const AT_ONCE = 100

const pageSchema = z.object({
  records: z.array(z.record(z.string(), z.custom<Json>())).max(2_000),
  done: z.boolean(),
  nextRecordsUrl: z.string().max(2_000).nullish(),
})
const listedSchema = z.object({
  Id: z.string().refine(isSalesforceId),
  KnowledgeArticleId: z.string().refine(isSalesforceId),
  Title: z.string(),
  UrlName: z.string().max(1_000),
  LastModifiedDate: z.string().max(50),
  // what the query asks for is looked at again: an internal article must not be told to anybody
  PublishStatus: z.literal('Online'),
  IsVisibleInPkb: z.literal(true),
  Language: z.string(),
})

/** The fields of articles, and their languages. @throws VendorError forbidden where Lightning Knowledge is off */
export async function describeArticles(call: VendorCall): Promise<Described> {
  try {
    return await describe(call, OBJECT)
  } catch (error) {
    throw isMissing(error) ? switchedOff() : error
  }
}

/** Fields that have texts of articles: those that people choose from. */
export const isArticleText = ({ type }: Field): boolean => type === 'textarea'

interface Wanted {
  language: string
  /** so many of the newest */
  most: number
  /** articles that are listed however old they are, as long as they are public */
  known: readonly string[]
  onFound: (count: number) => Promise<void>
}

/**
 * Lists articles that are published, and visible in the public knowledge base: the newest, and those that are known.
 * @returns the articles, and whether there are more. @throws VendorError
 */
export async function listArticles(
  call: VendorCall,
  { language, most, known, onFound }: Wanted,
): Promise<{ articles: ListedArticle[]; more: boolean }> {
  const newest = new Map<string, ListedArticle>()
  const rest = `ORDER BY LastModifiedDate DESC LIMIT ${most + 1}`
  await query(call, `${listedIn(language)} ${rest}`, most + 1, async (records) => {
    addListed(newest, records, language)
    await onFound(Math.min(newest.size, most))
  })
  const articles = new Map([...newest].slice(0, most))
  const more = newest.size > most
  // the list is whole otherwise
  const older = more ? known.filter((id) => !articles.has(id) && isSalesforceId(id)) : []
  for (let at = 0; at < older.length; at += AT_ONCE) {
    const some = older.slice(at, at + AT_ONCE)
    const soql = `${listedIn(language)} AND KnowledgeArticleId IN (${some.map((id) => `'${id}'`).join(', ')})`
    const asked = new Set(some)
    await query(call, soql, some.length, async (records) => addListed(articles, records, language, asked))
  }
  return { articles: [...articles.values()], more }
}

const listedIn = (language: string): string =>
  `SELECT ${Object.keys(listedSchema.shape).join(', ')} FROM ${OBJECT} WHERE ${publicIn(language)}`

function addListed(
  articles: Map<string, ListedArticle>,
  records: Record<string, Json>[],
  language: string,
  asked: ReadonlySet<string> | null = null,
): void {
  for (const record of records) {
    const { data } = listedSchema.safeParse(record)
    if (!data || data.Language !== language) continue
    const { Id: id, KnowledgeArticleId, Title: title, UrlName: urlName, LastModifiedDate: mark } = data
    const articleId = KnowledgeArticleId.slice(0, 15)
    if (articles.has(articleId) || (asked !== null && !asked.has(articleId))) continue
    articles.set(articleId, { id, articleId, title, urlName, mark })
  }
}

/**
 * Reads texts of articles that are public still.
 * @param fields their names, which exist
 * @param onText is called for each article with its texts by their fields
 * @throws VendorError
 */
export async function readArticles(
  call: VendorCall,
  { ids, fields, language }: { ids: readonly string[]; fields: readonly string[]; language: string },
  onText: (id: string, texts: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const wanted = new Set(ids)
  const readSome = async (some: readonly string[]): Promise<void> => {
    const list = some.map((id) => `'${id}'`).join(', ')
    const names = [...new Set(['Id', 'PublishStatus', 'IsVisibleInPkb', ...fields])].join(', ')
    const soql = `SELECT ${names} FROM ${OBJECT} WHERE ${publicIn(language)} AND Id IN (${list})`
    try {
      await query(call, soql, some.length, async (records) => {
        for (const record of records) {
          const { Id: id, PublishStatus, IsVisibleInPkb } = record
          if (typeof id !== 'string' || PublishStatus !== 'Online' || IsVisibleInPkb !== true) continue
          // each once, and only what was asked for
          if (!wanted.delete(id)) continue
          const texts = fields.flatMap((name) =>
            typeof record[name] === 'string' ? [[name, record[name]] as const] : [],
          )
          await onText(id, new Map(texts))
        }
      })
    } catch (error) {
      if (!(error instanceof VendorError) || error.code !== 'too_large' || some.length === 1) throw error
      const half = Math.ceil(some.length / 2)
      await readSome(some.slice(0, half).filter((id) => wanted.has(id)))
      await readSome(some.slice(half).filter((id) => wanted.has(id)))
    }
  }
  for (let at = 0; at < ids.length; at += AT_ONCE) await readSome(ids.slice(at, at + AT_ONCE))
}

/** @param language as Salesforce names it: letters and an underscore, so that nothing has to be escaped */
function publicIn(language: string): string {
  if (!LANGUAGE.test(language)) throw new VendorError('refused', `“${language}” is no language`)
  return `PublishStatus = 'Online' AND IsVisibleInPkb = true AND Language = '${language}'`
}
const LANGUAGE = /^[A-Za-z]{2,3}(?:_[A-Za-z]{2,4})?$/

/** Gives each page of an answer to `take`, until it ends or `most` records came. */
async function query(
  call: VendorCall,
  soql: string,
  most: number,
  take: (records: Record<string, Json>[]) => Promise<void>,
): Promise<void> {
  const asked = { method: 'GET', kind: 'read', about: ABOUT, maxBytes: MOST_BYTES } as const
  let count = 0
  for (let next: string | null = null; ; ) {
    const answer: Json = await call(
      next === null ? { ...asked, url: `${BASE}/query`, query: { q: soql } } : { ...asked, url: next },
    ).catch((error) => {
      throw isMissing(error) ? switchedOff() : error
    })
    const page = pageSchema.safeParse(answer)
    if (!page.success) throw new VendorError('unreadable', 'Salesforce')
    const { records, done, nextRecordsUrl } = page.data
    await take(records)
    count += records.length
    if (done || count >= most || records.length === 0) return
    // where it goes on is the vendor's word: a path of the interface, at the same host
    if (!nextRecordsUrl?.startsWith(`${BASE}/query/`)) throw new VendorError('unreadable', 'Salesforce')
    next = nextRecordsUrl
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof VendorError &&
  (error.code === 'not_found' || (error.code === 'refused' && /sObject type/i.test(error.message)))

const switchedOff = () =>
  new VendorError('forbidden', 'Lightning Knowledge is switched off in the organisation, or hidden from the account.')
