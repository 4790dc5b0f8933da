// A module with one resource of named items per project: contract, table, routes, test.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { camel, pascal, sentence, singular, snake, words } from './names.mjs'

const MIGRATIONS = 'server/platform/database/migrations'

/** @returns the new files, changes to lists, and next steps */
export function module(name, folder) {
  const one = singular(name)
  const home = `server/modules/${camel(name)}`
  const numbers = readdirSync(join(folder, MIGRATIONS)).map((file) => Number.parseInt(file, 10))
  const number = String(Math.max(0, ...numbers.filter(Number.isFinite)) + 1).padStart(4, '0')
  return {
    files: {
      [`server/contracts/${name}.ts`]: contract(name, one),
      [`${MIGRATIONS}/${number}_${snake(name)}.sql`]: migration(name),
      [`${home}/tables.ts`]: tables(name),
      [`${home}/events.ts`]: events(one),
      [`${home}/routes.ts`]: routes(name, one),
      [`${home}/module.ts`]: declaration(name),
      [`${home}/routes.test.ts`]: test(name, one),
    },
    lists: {
      'server/modules.ts': (text) => listed(text, name),
      'server/README.md': (text) => drawn(text, name),
      'tests/security/tenancy/seeds.ts': (text) => seeded(text, name),
      'tests/contract/events/writes.ts': (text) => told(text, name, one),
    },
    next:
      `Say in ${home}/module.ts what the module is there for, and in server/contracts/${name}.ts which feature of the roles map ` +
      `(server/access/roles.ts) each route wants. Then: npm run check, and npm test -- ${home} tests/contract/events`,
  }
}

const listed = (text, name) =>
  `import { ${camel(name)} } from './modules/${camel(name)}/module'\n${text.replace(/\n\]\n/, `\n  ${camel(name)},\n]\n`)}`

/** Seeds a row of another project for the tenancy sweep. */
const seeded = (text, name) =>
  text.replace(
    /\n {2}'versions\.open'/,
    (last) => `
  '${name}.gid': async (tenant) => {
    const values = { ...inProject(tenant), name: tenant.mark }
    await tenant.db.insertInto('${snake(name)}').values(values).execute()
    return values.gid
  },${last}`,
  )

/** How each route that writes is called, and which event it writes. */
function told(text, name, one) {
  const [contract, event] = [camel(name), camel(one)]
  const ofOne = `params: await oneOfProject(world, '${name}.gid')`
  const lines = `
told(${contract}.create${pascal(one)}, '${event}.created', async (world) => ({
  params: inProject(world),
  body: { name: 'New' },
}))
told(${contract}.rename${pascal(one)}, '${event}.renamed', async (world) => ({ ${ofOne}, body: { name: 'New' } }))
told(${contract}.delete${pascal(one)}, '${event}.deleted', async (world) => ({ ${ofOne} }))
`
  return `import * as ${contract} from '../../../server/contracts/${name}'\n${text.replace(
    /\nexport const routesThatTell/,
    (list) => `${lines}${list}`,
  )}`
}

/** Adds it to the graph in the README: among the modules without needs, by name (as modules.mjs sorts). */
function drawn(text, name) {
  const [before = '', graph = ''] = text.split('```\n')
  const line = `${camel(name).padEnd(14)}${''.padEnd(38)}${words(name)} of a project`
  const lines = graph.trimEnd().split('\n')
  const at = lines.findIndex((each) => each.includes('→') || each.split(' ', 1)[0] > camel(name))
  lines.splice(at < 0 ? lines.length : at, 0, line)
  return text.replace(`${before}\`\`\`\n${graph}`, () => `${before}\`\`\`\n${lines.join('\n')}\n`)
}

const contract = (name, one) => `import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'

export const ${snake(one).toUpperCase()}_NAME = 100

export const ${camel(one)}Schema = z.strictObject({
  id: gid,
  name: z.string(),
  timestamp: z.string(),
})
export type ${pascal(one)} = z.infer<typeof ${camel(one)}Schema>

const inProject = z.strictObject({ pgid: gid })
const one = z.strictObject({ pgid: gid, gid })
const body = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name')
    .max(${snake(one).toUpperCase()}_NAME, tooLong(${snake(one).toUpperCase()}_NAME)),
})

/** By name. */
export const list${pascal(name)} = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/${name}',
  access: { feature: 'settings.view' },
  params: inProject,
  answer: z.strictObject({ ${camel(name)}: z.array(${camel(one)}Schema) }),
})
export const create${pascal(one)} = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/${name}',
  access: { feature: 'settings.update' },
  params: inProject,
  body,
  answer: z.strictObject({ ${camel(one)}: ${camel(one)}Schema }),
})
export const rename${pascal(one)} = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/${name}/:gid',
  access: { feature: 'settings.update' },
  params: one,
  body,
  answer: z.strictObject({ ${camel(one)}: ${camel(one)}Schema }),
})
export const delete${pascal(one)} = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/${name}/:gid',
  access: { feature: 'settings.update' },
  params: one,
  answer: ok,
})
`

const migration = (name) => `-- ${sentence(name)} of a project.
create table ${snake(name)} (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null
);
create unique index ${snake(name)}_name on ${snake(name)} (project_id, name);
`

const tables = (name) => `import type { Generated } from 'kysely'

declare module '../../platform/database/tables' {
  interface Database {
    ${snake(name)}: ${pascal(name)}Table
  }
}

export interface ${pascal(name)}Table {
  id: Generated<string>
  gid: string
  project_id: string
  name: string
  created_at: Date
}
`

const events = (one) => `import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const ${camel(one)} = z.strictObject({ ${camel(one)}: z.string(), name: z.string() })

export const ${camel(one)}Created = defineEvent('${camel(one)}.created', ${camel(one)})
export const ${camel(one)}Renamed = defineEvent('${camel(one)}.renamed', ${camel(one)})
export const ${camel(one)}Deleted = defineEvent('${camel(one)}.deleted', ${camel(one)})
`

const routes = (name, one) => `import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/${name}'
import type { ServerContext } from '../../platform/context'
import { ApiError, fieldError, isUniqueViolation } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { ${camel(one)}Created, ${camel(one)}Deleted, ${camel(one)}Renamed } from './events'
import type { ${pascal(name)}Table } from './tables'

/** ${sentence(name)} of a project. */
export function register${pascal(name)}(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context

  registerRoute(app, context, contract.list${pascal(name)}, async ({ caller: { db } }) => {
    const rows = await db.selectFrom('${snake(name)}').selectAll().orderBy('name').execute()
    return { ${camel(name)}: rows.map(present) }
  })

  registerRoute(app, context, contract.create${pascal(one)}, async ({ caller: { db, project }, body, origin }) => {
    const values = { gid: ids(), project_id: project.id, name: body.name, created_at: clock() }
    const row = await db
      .transaction()
      .execute(async (trx) => {
        const created = await trx.insertInto('${snake(name)}').values(values).returningAll().executeTakeFirstOrThrow()
        await appendEvent(trx, ${camel(one)}Created, origin, { ${camel(one)}: created.gid, name: created.name })
        return created
      })
      .catch(refuseTaken)
    return { ${camel(one)}: present(row) }
  })

  registerRoute(app, context, contract.rename${pascal(one)}, async ({ caller: { db }, params, body, origin }) => {
    const row = await db
      .transaction()
      .execute(async (trx) => {
        const renamed = await trx
          .updateTable('${snake(name)}')
          .set({ name: body.name })
          .where('gid', '=', params.gid)
          .returningAll()
          .executeTakeFirst()
        if (!renamed) throw new ApiError('not_found')
        await appendEvent(trx, ${camel(one)}Renamed, origin, { ${camel(one)}: renamed.gid, name: renamed.name })
        return renamed
      })
      .catch(refuseTaken)
    return { ${camel(one)}: present(row) }
  })

  registerRoute(app, context, contract.delete${pascal(one)}, async ({ caller: { db }, params, origin }) => {
    await db.transaction().execute(async (trx) => {
      const deleted = await trx
        .deleteFrom('${snake(name)}')
        .where('gid', '=', params.gid)
        .returning('name')
        .executeTakeFirst()
      if (!deleted) throw new ApiError('not_found')
      await appendEvent(trx, ${camel(one)}Deleted, origin, { ${camel(one)}: params.gid, ...deleted })
    })
    return {}
  })
}

const present = ({ gid, name, created_at }: Selectable<${pascal(name)}Table>): contract.${pascal(one)} => ({
  id: gid,
  name,
  timestamp: created_at.toISOString(),
})

function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error) ? fieldError('name', 'This name is taken') : error
}
`

const declaration = (name) => `import { defineModule } from '../../platform/modules/defineModule'
import { register${pascal(name)} } from './routes'

export const ${camel(name)} = defineModule({
  name: '${camel(name)}',
  purpose: '${words(name)} of a project',
  needs: {},
  tables: ['${snake(name)}'],
  create: (context) => ({
    routes: (app) => register${pascal(name)}(app, context),
  }),
})
`

const test = (name, one) => `import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import * as contract from '../../contracts/${name}'

let server: TestServer
let ada: Registered
let bob: Registered
beforeAll(async () => {
  server = await startTestServer()
  ;[ada, bob] = [await server.register(), await server.register()]
})
afterAll(() => server.close())

const namesOf = async (person: Registered) => {
  const { ${camel(name)} } = await person.call(contract.list${pascal(name)}, { params: { pgid: person.pgid } })
  return ${camel(name)}.map((each) => each.name)
}
const create = (name: string) => ada.call(contract.create${pascal(one)}, { params: { pgid: ada.pgid }, body: { name } })

test('${words(name)} are created, listed by name, renamed and deleted', async () => {
  const { ${camel(one)}: second } = await create('Second')
  await create('First')
  expect(await namesOf(ada)).toEqual(['First', 'Second'])
  await expect(create('First')).rejects.toThrow('This name is taken')
  const params = { pgid: ada.pgid, gid: second.id }
  await ada.call(contract.rename${pascal(one)}, { params, body: { name: 'Another' } })
  expect(await namesOf(ada)).toEqual(['Another', 'First'])
  await ada.call(contract.delete${pascal(one)}, { params })
  expect(await namesOf(ada)).toEqual(['First'])
})

test('each change of ${words(name)} tells of itself, and what is refused does not', async () => {
  const { ${camel(one)} } = await create('Told')
  await expect(create('Told')).rejects.toThrow('This name is taken')
  const params = { pgid: ada.pgid, gid: ${camel(one)}.id }
  await ada.call(contract.rename${pascal(one)}, { params, body: { name: 'Renamed' } })
  await ada.call(contract.delete${pascal(one)}, { params })
  const told = await server.context.db.selectFrom('events').select(['type', 'payload']).orderBy('id').execute()
  const about = (name: string) => ({ ${camel(one)}: ${camel(one)}.id, name })
  expect(told.filter(({ payload }) => JSON.stringify(payload).includes(${camel(one)}.id))).toEqual([
    { type: '${camel(one)}.created', payload: about('Told') },
    { type: '${camel(one)}.renamed', payload: about('Renamed') },
    { type: '${camel(one)}.deleted', payload: about('Renamed') },
  ])
})

test('${words(name)} of one project are out of reach from another', async () => {
  const { ${camel(one)}: own } = await create('Own')
  const path = \`/api/projects/\${bob.pgid}/${name}/\${own.id}\`
  expect((await bob.send('PATCH', path, { name: 'Taken over' })).status).toBe(404)
  expect((await bob.send('DELETE', path, {})).status).toBe(404)
  expect(await namesOf(bob)).toEqual([])
  expect(await namesOf(ada)).toContain('Own')
})
`
