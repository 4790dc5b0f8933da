import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Debugger } from './debugger'
import css from './PreviewPane.module.css'
import { looks } from './remembered'

/** Chooses the web's look, WhatsApp's, or both side by side. */
export function LookSwitch({ bug }: { bug: Debugger }) {
  const { t } = useTranslation('preview')
  const look = useStore(bug.store, (state) => state.look)
  return (
    <fieldset className={css.looks}>
      <legend>{t('look.label')}</legend>
      {looks.map((one) => (
        <button key={one} type="button" aria-pressed={look === one} onClick={() => bug.setLook(one)}>
          {t(`look.${one}`)}
        </button>
      ))}
    </fieldset>
  )
}
