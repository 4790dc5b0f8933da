import type { RootDb } from '../../platform/database/database'
import { type Doer, noteAction } from './noteAction'

/** Tells everybody who is logged in something, until it is taken away. @param text empty: it is taken away */
export async function setAnnouncement(db: RootDb, text: string, warns: boolean, doer: Doer): Promise<void> {
  const announced = text === '' ? null : { text, at: doer.at }
  await db.transaction().execute(async (work) => {
    await work
      .updateTable('installation')
      .set({
        announcement: announced?.text ?? null,
        announcement_warns: warns,
        announced_at: announced?.at ?? null,
      })
      .execute()
    await noteAction(work, doer, 'announce', announced ? 'set' : 'taken away', text)
  })
}
