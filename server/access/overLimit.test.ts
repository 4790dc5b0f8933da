import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database'
import { addons } from './addons'
import { entitlementsOf, limitAsSql } from './entitlements'
import {
  COUNTED,
  changesChatbot,
  isChatbotOver,
  isDomainOver,
  isLeftToOver,
  isMemberOver,
  overOf,
  placesOf,
} from './overLimit'
import { plans } from './plans'
import { featureRoles } from './roles'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

let made = 0
const newId = () => `p${String(++made).padStart(15, '0')}`

const project = fc.record({
  plan_id: fc.constantFrom(...plans.map(({ id }) => id), 'gold'),
  addons: fc.dictionary(fc.constantFrom(...addons.map(({ id }) => String(id)), '99'), fc.integer({ min: -2, max: 5 })),
})

/** @returns the row of a project that has what is given */
async function insert(given: { plan_id: string; addons: Record<string, number> }) {
  const at = new Date()
  const { id } = await database.db
    .insertInto('projects')
    .values({
      ...{ gid: newId(), name: 'Test', plan_id: given.plan_id, created_at: at, updated_at: at },
      addons: JSON.stringify(given.addons),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('the database knows the same limits as the program, whatever was bought', async () => {
  await fc.assert(
    fc.asyncProperty(project, async (given) => {
      const id = await insert(given)
      const row = await database.db
        .selectFrom('projects')
        .select(COUNTED.map((limit) => limitAsSql(limit).as(limit)))
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { limits } = entitlementsOf(given)
      expect(COUNTED.map((limit) => Number(row[limit]))).toEqual(COUNTED.map((limit) => limits[limit]))
    }),
    { numRuns: 60, seed: 19 },
  )
})

const members = fc.array(
  fc.record({ owner: fc.boolean(), chosen: fc.boolean(), day: fc.integer({ min: 1, max: 3 }) }),
  { maxLength: 6 },
)
const things = fc.array(fc.record({ chosen: fc.boolean(), domain: fc.boolean(), deleting: fc.boolean() }), {
  maxLength: 6,
})

test('each thing that is asked for alone is over the limit exactly if the list of all says so', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(project, members, things, async (given, people, bots) => {
      const id = await insert(given)
      for (const { owner, chosen, day } of people) {
        const gid = newId()
        const at = new Date(Date.UTC(2026, 0, day))
        const user = await db
          .insertInto('users')
          .values({
            gid,
            email: `${gid}@example.com`,
            first_name: gid,
            last_name: '',
            password_hash: 'x',
            created_at: at,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('project_members')
          .values({
            ...{ project_id: id, user_id: user.id, roles: owner ? [1] : [3], chosen_to_stay: chosen, created_at: at },
          })
          .execute()
      }
      for (const { chosen, domain, deleting } of bots) {
        const gid = newId()
        const at = new Date()
        const bot = await db
          .insertInto('chatbots')
          .values({
            ...{ gid, egid: gid, project_id: id, name: gid, slug: gid, created_at: at, updated_at: at },
            ...{ chosen_to_stay: chosen, deleting_since: deleting ? at : null },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        if (domain)
          await db
            .insertInto('custom_domains')
            .values({
              ...{ gid, project_id: id, chatbot_id: bot.id, hostname: `${gid}.example.com`, apex: false },
              ...{
                status: 'active',
                challenge: gid,
                token: gid,
                requested_at: at,
                created_at: at,
                chosen_to_stay: chosen,
              },
            })
            .execute()
      }
      const over = {
        chatbots: await db
          .selectFrom('chatbots')
          .innerJoin('projects', 'projects.id', 'chatbots.project_id')
          .select(['chatbots.gid', isChatbotOver.as('over')])
          .where('project_id', '=', id)
          .where('deleting_since', 'is', null)
          .execute(),
        seats: await db
          .selectFrom('project_members')
          .innerJoin('projects', 'projects.id', 'project_members.project_id')
          .innerJoin('users', 'users.id', 'project_members.user_id')
          .select(['users.gid', isMemberOver.as('over')])
          .where('project_id', '=', id)
          .execute(),
        custom_domains: await db
          .selectFrom('custom_domains')
          .innerJoin('projects', 'projects.id', 'custom_domains.project_id')
          .select(['custom_domains.gid', isDomainOver.as('over')])
          .where('project_id', '=', id)
          .execute(),
      }
      const alone = (limit: (typeof COUNTED)[number]) =>
        over[limit].flatMap((row) => (row.over ? [row.gid] : [])).sort()
      const all = await placesOf(db, id, given)
      for (const { limit, max, places } of all)
        expect([
          limit,
          ...overOf({ max, places })
            .map(({ gid }) => gid)
            .sort(),
        ]).toEqual([limit, ...alone(limit)])
      // whoever can mend it is never over
      expect(all.flatMap(overOf).filter(({ fixed }) => fixed)).toEqual([])
    }),
    { numRuns: 40, seed: 19 },
  )
})

test('who is over can look and pay, and of a chatbot that is over nothing can be changed but deleted', () => {
  const all = Object.entries(featureRoles).flatMap(([group, features]) =>
    Object.keys(features).map((name) => `${group}.${name}` as const),
  )
  expect(all.filter(isLeftToOver).filter((feature) => !/^billing\.|\.view$/.test(feature))).toEqual([])
  expect(all.filter(changesChatbot).filter((feature) => feature.endsWith('.view'))).toEqual([])
  // about visitors, members and the project itself, or away with it
  const left = all.filter((feature) => !changesChatbot(feature) && !feature.endsWith('.view'))
  expect([...new Set(left.map((feature) => feature.split('.')[0]))].sort()).toEqual(
    [
      ...['analytics', 'api_keys', 'billing', 'chatbots', 'contacts', 'conversations', 'custom_domain', 'exports'],
      ...['integrations', 'knowledge_base', 'members', 'notifications', 'onboarding', 'playground', 'project'],
      ...['testing', 'whatsapp'],
    ].sort(),
  )
  expect(left.filter((feature) => /^(?:chatbots|knowledge_base|custom_domain|whatsapp)\./.test(feature))).toEqual([
    ...['chatbots.create', 'chatbots.delete', 'knowledge_base.delete', 'custom_domain.delete'],
    'whatsapp.disconnect',
  ])
})
