import i18next from 'i18next'
import { opennessAt } from '../../engine/values/openHours'
import { type NotificationEntry, quietHours, readMySettings } from '../../server/contracts/personalNotifications'
import { callRoute } from '../api/client'
import { notify } from '../ui/notify'
import { playSound } from './playSound'
import { sentenceOf } from './sentenceOf'

const MINUTE = 60_000

/** Shows a new notification, and plays its sound if the account wants that. */
export async function announce(pgid: string, entry: NotificationEntry): Promise<void> {
  await i18next.loadNamespaces('notifications')
  notify.neutral(sentenceOf(i18next.getFixedT(null, 'notifications'), entry))
  const { settings } = await callRoute(readMySettings, { params: { pgid } })
  const quiet = quietHours(settings)
  const isQuiet = quiet !== null && opennessAt(quiet, Math.floor(Date.now() / MINUTE)).open
  if (settings.sound && !isQuiet) playSound()
}
