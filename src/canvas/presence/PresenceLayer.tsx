import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Presence } from '../../collab/presence'
import { personColor } from '../../ui/personColor'
import { useViewport } from '../adapter'
import { useCanvasState, useEditor } from '../context'
import type { Scene } from '../placed'
import { follow } from './follow'
import { startOverlay } from './overlay'
import styles from './PresenceLayer.module.css'
import { useFollowing } from './useFollowing'
import { useTellWhere } from './useTellWhere'

/** Shows others on the canvas, and sends one's own presence. */
export const PresenceLayer = memo(function PresenceLayer({ scene }: { scene: Scene }) {
  const { presence } = useEditor()
  return presence ? <Others presence={presence} scene={scene} /> : null
})

function Others({ presence, scene }: { presence: Presence; scene: Scene }) {
  const editor = useEditor()
  const viewport = useViewport()
  const { t } = useTranslation('presence')
  const layer = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const words = useRef({ editing: (name: string) => name })
  words.current = { editing: (name) => t('editing', { name }) }
  useTellWhere(presence, layer)
  useFollowing(presence)
  useEffect(
    () =>
      sheet.current
        ? startOverlay(sheet.current, { editor, presence, scene, viewport }, () => words.current)
        : undefined,
    [editor, presence, scene, viewport],
  )
  return (
    <>
      <div ref={layer} className={styles.layer} aria-hidden data-presence>
        <div ref={sheet} className={styles.sheet} />
      </div>
      <FollowFrame />
    </>
  )
}

/** A frame around the canvas that names the followed person. */
function FollowFrame() {
  const { store } = useEditor()
  const { t } = useTranslation('presence')
  const person = useCanvasState(({ following }) => following?.person)
  if (!person) return null
  return (
    <div className={styles.frame} style={personColor(person)}>
      <section className={styles.banner} aria-label={t('follow.label')}>
        <span className={styles.following}>{t('follow.banner', { name: person.name })}</span>
        <button type="button" onClick={() => follow(store, null)}>
          {t('follow.stop')}
        </button>
      </section>
    </div>
  )
}
