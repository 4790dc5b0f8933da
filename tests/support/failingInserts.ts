import type { ProjectDb, RootDb } from '../../server/platform/database/database'

/** A database whose project handles fail to insert into tables while `fails` returns true. */
export function failingInserts(db: RootDb, fails: (table: string) => boolean): RootDb {
  const failing = (own: ProjectDb): ProjectDb => {
    const insertInto: typeof own.insertInto = (table) => {
      if (fails(String(table))) throw new Error('the disk is full')
      return own.insertInto(table)
    }
    return new Proxy(own, {
      get: (target, name) => (name === 'insertInto' ? insertInto : Reflect.get(target, name).bind(target)),
    })
  }
  const forProject: RootDb['forProject'] = (id) => failing(db.forProject(id))
  return new Proxy(db, {
    get: (target, name) => (name === 'forProject' ? forProject : Reflect.get(target, name).bind(target)),
  })
}
