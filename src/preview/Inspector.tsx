import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Tabs } from '../ui/Tabs'
import { Breakpoints } from './Breakpoints'
import type { Debugger } from './debugger'
import css from './PreviewPane.module.css'
import type { PreviewPaneProps } from './previewPaneProps'
import { Steps } from './Steps'
import { Turns } from './Turns'
import { Variables } from './Variables'

/** Debugger panels: the present variables, all steps and turns, and breakpoints. */
export function Inspector(props: Pick<PreviewPaneProps, 'describe' | 'nameOf' | 'onShow'> & { bug: Debugger }) {
  const { bug, describe, nameOf, onShow } = props
  const { t } = useTranslation('preview')
  const debug = useStore(bug.store, (state) => state.debug)
  /** on a small screen the conversation needs the space */
  const [open, setOpen] = useState(() => !window.matchMedia('(max-width: 760px)').matches)
  return (
    <div className={css.inspector} data-open={open || undefined}>
      <button type="button" className={css.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronDown size={14} aria-hidden="true" />
        {t('inspect')}
      </button>
      {open && (
        <Tabs defaultValue="variables" className={css.tabs}>
          <Tabs.List>
            <Tabs.Tab value="variables">{t('variables')}</Tabs.Tab>
            <Tabs.Tab value="path">{t('path')}</Tabs.Tab>
            <Tabs.Tab value="turns">{t('turns.tab')}</Tabs.Tab>
            <Tabs.Tab value="breakpoints">{t('breakpoints.tab')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="variables" className={css.panel}>
            <Variables bug={bug} variables={debug?.variables ?? []} />
          </Tabs.Panel>
          <Tabs.Panel value="path" className={css.panel}>
            <Steps bug={bug} debug={debug} describe={describe} onShow={onShow} />
          </Tabs.Panel>
          <Tabs.Panel value="turns" className={css.panel}>
            <Turns bug={bug} />
          </Tabs.Panel>
          <Tabs.Panel value="breakpoints" className={css.panel}>
            <Breakpoints bug={bug} nameOf={nameOf} onShow={onShow} />
          </Tabs.Panel>
        </Tabs>
      )}
    </div>
  )
}
