import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { View as TheirView } from '../../collab/peerState'
import type { Presence } from '../../collab/presence'
import { useView, useViewport } from '../adapter'
import { useCanvasState, useEditor } from '../context'
import { announce } from '../keyboard/announce'
import { hasOwnKeys, isTyping } from '../keyboard/targets'
import type { Seen } from '../windowing'
import { leadsTo } from './follow'

/** The maximal zoom of the canvas. */
const NEAREST = 2
/** The time constant in ms of two thirds of the way. */
const PACE_MS = 90

/** Keeps the view at the followed person's, until the user moves it, presses Escape, or they leave. */
export function useFollowing(presence: Presence): void {
  const { store } = useEditor()
  const view = useView()
  const viewport = useViewport()
  const { t } = useTranslation('presence')
  const following = useCanvasState((state) => state.following)
  useEffect(() => {
    presence.tell({ following: following?.clientId ?? null })
    if (!following) return
    const { clientId, person } = following
    const still = window.matchMedia('(prefers-reduced-motion: reduce)')
    let planned = 0
    let last = 0
    let moving = false
    let why: 'stopped' | 'left' = 'stopped'
    const stop = (reason: typeof why = 'stopped') => {
      why = reason
      store.setState({ following: null })
    }
    const step = (now: number) => {
      planned = 0
      const theirs = presence.peers().get(clientId)?.view
      const seen = viewport.seen()
      if (!theirs || !seen) return
      const share = still.matches ? 1 : 1 - Math.exp(-Math.min(now - last, 50) / PACE_MS)
      last = now
      const before = view.viewport()
      moving = true
      view.look(between(seen, goalOf(theirs, seen), share))
      moving = false
      const after = view.viewport()
      const arrived = Math.hypot(after.x - before.x, after.y - before.y) < 0.5 && after.zoom === before.zoom
      if (!arrived) plan()
    }
    const plan = () => {
      planned ||= requestAnimationFrame(step)
    }
    let place = view.viewport()
    const stops = [
      presence.subscribe((changes) => {
        if (!changes.some(({ before, now }) => (now ?? before)?.clientId === clientId)) return
        const now = presence.peers().get(clientId)
        if (!now) return stop('left')
        // both started to follow each other at once: one of them stops
        if (presence.clientId > clientId && leadsTo(presence.peers(), clientId, presence.clientId)) return stop()
        plan()
      }),
      viewport.subscribe(() => {
        const now = view.viewport()
        const moved = now.x !== place.x || now.y !== place.y || now.zoom !== place.zoom
        place = now
        if (moving) return
        if (moved) stop()
        // the window was resized
        else plan()
      }),
    ]
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isTyping(event.target) || hasOwnKeys(event.target)) return
      event.preventDefault()
      event.stopPropagation()
      stop()
    }
    window.addEventListener('keydown', onKey, true)
    announce(store, t('follow.started', { name: person.name }))
    plan()
    return () => {
      cancelAnimationFrame(planned)
      window.removeEventListener('keydown', onKey, true)
      for (const end of stops) end()
      if (store.getState().following === null) announce(store, t(`follow.${why}`, { name: person.name }))
    }
  }, [presence, store, view, viewport, following, t])
}

interface Look {
  x: number
  y: number
  zoom: number
}

/** Their centre, and all that they see, for a canvas of another size. */
function goalOf({ x, y, zoom, width, height }: TheirView, { area, zoom: own }: Seen): Look {
  const fit = Math.min((area.width * own) / width, (area.height * own) / height)
  return { x, y, zoom: Math.min(zoom * fit, NEAREST) }
}

/** Part of the way; the last bit at once, so that it ends. */
function between({ area, zoom }: Seen, goal: Look, share: number): Look {
  const from = { x: area.x + area.width / 2, y: area.y + area.height / 2 }
  const left = Math.hypot(goal.x - from.x, goal.y - from.y) * zoom
  if (share === 1 || (left < 1 && Math.abs(Math.log(goal.zoom / zoom)) < 0.005)) return goal
  return {
    x: from.x + (goal.x - from.x) * share,
    y: from.y + (goal.y - from.y) * share,
    zoom: zoom * (goal.zoom / zoom) ** share,
  }
}
