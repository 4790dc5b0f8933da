import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import type { Debugger } from './debugger'
import css from './inspector.module.css'
import type { PreviewPaneProps } from './previewPaneProps'

/** The breakpoints in all flows of the chatbot. */
export function Breakpoints({ bug, nameOf, onShow }: Pick<PreviewPaneProps, 'nameOf' | 'onShow'> & { bug: Debugger }) {
  const { t } = useTranslation('preview')
  const breakpoints = useStore(bug.store, (state) => state.breakpoints)
  if (breakpoints.length === 0) return <p className={css.empty}>{t('breakpoints.none')}</p>
  return (
    <>
      <ul className={css.path}>
        {breakpoints.map((breakpoint) => {
          const names = nameOf(breakpoint)
          const title = names?.title ?? t('gone')
          return (
            <li key={`${breakpoint.flowId} ${breakpoint.blockId}`}>
              <div className={css.stepRow}>
                <button type="button" className={css.step} disabled={!names} onClick={() => onShow(breakpoint)}>
                  <span className={css.stepTitle}>{title}</span>
                  <span className={css.stepGroup}>{names?.group}</span>
                </button>
                <IconButton
                  size="s"
                  label={t('breakpoints.remove', { title })}
                  icon={<X size={14} />}
                  onClick={() => bug.toggleBreakpoints([breakpoint])}
                />
              </div>
            </li>
          )
        })}
      </ul>
      <Button size="s" onClick={() => bug.setBreakpoints([])}>
        {t('breakpoints.removeAll')}
      </Button>
    </>
  )
}
