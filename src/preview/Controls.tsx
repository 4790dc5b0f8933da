import { Footprints, Play, Redo, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { ActForReal } from './ActForReal'
import type { Debugger } from './debugger'
import css from './PreviewPane.module.css'

/** Debugger controls: continue, step, stop. */
export function Controls({ bug }: { bug: Debugger }) {
  const { t } = useTranslation('preview')
  const paused = useStore(bug.store, ({ debug }) => debug?.paused != null)
  const over = useStore(bug.store, ({ debug }) => debug === null || (!debug.paused && !debug.active))
  const stepping = useStore(bug.store, (state) => state.stepping)
  const busy = useStore(bug.store, (state) => state.busy)
  return (
    <div className={css.controls} role="toolbar" aria-label={t('controls.label')}>
      <IconButton
        size="s"
        label={t('controls.continue')}
        keys={<KeyHint keys={['F8']} />}
        icon={<Play size={15} />}
        disabled={!paused || busy}
        onClick={() => void bug.goOn(false)}
      />
      <IconButton
        size="s"
        label={t('controls.step')}
        keys={<KeyHint keys={['F10']} />}
        icon={<Redo size={15} />}
        disabled={!paused || busy}
        onClick={() => void bug.goOn(true)}
      />
      <IconButton
        size="s"
        label={t('controls.stop')}
        keys={<KeyHint keys={['Shift', 'F8']} />}
        icon={<Square size={13} />}
        disabled={over || busy}
        onClick={() => void bug.stop()}
      />
      <IconButton
        size="s"
        label={t('controls.stepping')}
        icon={<Footprints size={15} />}
        active={stepping}
        onClick={() => bug.setStepping(!stepping)}
      />
      <ActForReal bug={bug} />
    </div>
  )
}
