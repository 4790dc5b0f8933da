import { type RawBuilder, sql } from 'kysely'
import MiniSearch from 'minisearch'
import type { Db } from '../../../server/platform/database/database'
import type { Search } from './quality'
import type { QuestionSet } from './sets'

/** PostgreSQL's own dictionaries; Chinese and Thai have none. */
const DICTIONARIES: Record<string, string> = { en: 'english', de: 'german', es: 'spanish', ar: 'arabic', ru: 'russian' }
const dictionaryOf = (language: string) => DICTIONARIES[language] ?? 'simple'
/** What PostgreSQL may divide a rank by: nothing, the logarithm of the length, the length. */
const WAYS = [0, 1, 2]
/** Questions on which the best way is chosen. */
const TRIAL = 200

/** MiniSearch over the words' stems without stop words, both PostgreSQL's: it has none of its own. */
export async function miniSearch(db: Db, set: QuestionSet): Promise<Search> {
  const language = set.texts[0]?.language ?? 'en'
  const stems = async (texts: string[]): Promise<string[]> => {
    if (!(language in DICTIONARIES)) return texts
    const { rows } = await sql<{ stems: string | null }>`
      select (select string_agg(lexeme, ' ' order by place) from unnest(to_tsvector(${dictionaryOf(language)}::regconfig, text)) as l,
        unnest(l.positions) as place) as stems
      from unnest(${texts}::text[]) with ordinality as t(text, at) order by at`.execute(db)
    return rows.map((row) => row.stems ?? '')
  }
  const index = new MiniSearch({ fields: ['heading', 'body'], idField: 'id' })
  const [headings, bodies] = [
    await stems(set.texts.map(({ heading }) => heading)),
    await stems(set.texts.map(({ body }) => body)),
  ]
  index.addAll(bodies.map((body, id) => ({ id, heading: headings[id], body })))
  const asked = await stems(set.questions.map(({ question }) => question))
  const known = new Map(set.questions.map(({ question }, at) => [question, asked[at] ?? '']))
  const boost: Record<string, number> = set.texts[0]?.isFaq ? { heading: 1, body: 0.5 } : {}
  return (question) =>
    index
      .search(known.get(question) ?? '', { boost })
      .slice(0, 5)
      .map(({ id }) => Number(id))
}

/** PostgreSQL's ranks, each in the way to divide that serves it best. */
export async function postgres(db: Db, set: QuestionSet): Promise<Record<'ts_rank' | 'ts_rank_cd', Search>> {
  const dictionary = sql`${dictionaryOf(set.texts[0]?.language ?? 'en')}::regconfig`
  await sql`drop table if exists bench_texts`.execute(db)
  await sql`create table bench_texts (id int primary key, words tsvector)`.execute(db)
  await sql`insert into bench_texts select at - 1,
      setweight(to_tsvector(${dictionary}, heading), 'A') || setweight(to_tsvector(${dictionary}, body), 'D')
    from unnest(${set.texts.map(({ heading }) => heading)}::text[], ${set.texts.map(({ body }) => body)}::text[])
      with ordinality as t(heading, body, at)`.execute(db)
  await sql`create index on bench_texts using gin (words)`.execute(db)
  const asked = sql<string>`replace(plainto_tsquery(${dictionary}, question)::text, ' & ', ' | ')::tsquery`
  const found = async (rank: RawBuilder<unknown>, questions: QuestionSet['questions']) => {
    const { rows } = await sql<{ at: string; ids: number[] }>`
      select at, array(select id from bench_texts where words @@ q order by ${rank} desc, id limit 5) as ids
      from (select at, ${asked} as q from unnest(${questions.map(({ question }) => question)}::text[])
        with ordinality as t(question, at)) as asked order by at`.execute(db)
    return rows.map(({ ids }) => ids)
  }
  const best = async (name: 'ts_rank' | 'ts_rank_cd'): Promise<Search> => {
    // what is said in the text counts as much as anything, but in an FAQ half as much as its question
    const weights = sql`'{${sql.raw(set.texts[0]?.isFaq ? '0.5' : '1')},1,1,1}'::float4[]`
    const rankBy = (way: number) => sql`${sql.raw(name)}(${weights}, words, q, ${sql.lit(way)})`
    const trial = set.questions.filter((_, at) => at % Math.max(1, Math.floor(set.questions.length / TRIAL)) === 0)
    let chosen = { way: 0, right: -1 }
    for (const way of WAYS) {
      const ids = await found(rankBy(way), trial)
      const right = trial.filter(({ text }, at) => ids[at]?.[0] === text).length
      if (right > chosen.right) chosen = { way, right }
    }
    const ids = await found(rankBy(chosen.way), set.questions)
    const known = new Map(set.questions.map(({ question }, at) => [question, ids[at] ?? []]))
    return (question) => known.get(question) ?? []
  }
  return { ts_rank: await best('ts_rank'), ts_rank_cd: await best('ts_rank_cd') }
}
