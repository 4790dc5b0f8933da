import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { type Theme, themes, withTheme } from './themes'
import css from './themes.module.css'
import type { LookDraft } from './useLookDraft'

/** The gallery: each theme as a small chat; the one that is chosen is applied at once, and undo takes it back. */
export function ThemesDialog(props: { draft: LookDraft; scheme: 'light' | 'dark'; onClose: () => void }) {
  const { draft, scheme, onClose } = props
  const { t } = useTranslation('appearance')
  const { t: common } = useTranslation()
  return (
    <Modal opened onClose={onClose} title={t('themes.title')} size={820}>
      <ul className={css.gallery}>
        {themes.map((theme) => (
          <li key={theme.id}>
            <button
              type="button"
              className={css.theme}
              aria-pressed={draft.look.theme === theme.id}
              onClick={() => {
                draft.replace(withTheme(draft.look, theme), 'theme')
                onClose()
              }}
            >
              <Sample theme={theme} scheme={scheme} />
              <span className={css.name}>{theme.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <ModalActions>
        <Button onClick={onClose}>{common('actions.close')}</Button>
      </ModalActions>
    </Modal>
  )
}

function Sample({ theme, scheme }: { theme: Theme; scheme: 'light' | 'dark' }) {
  const { accent, background, bot, visitor } = theme[scheme]
  const radius = theme.shape.radius / 2
  return (
    <span className={css.sample} style={{ backgroundColor: background }} aria-hidden="true">
      <span className={css.head}>
        <i style={{ backgroundColor: accent }} />
      </span>
      <span className={css.bot} style={{ backgroundColor: bot, borderRadius: radius }} />
      <span className={css.bot} data-short style={{ backgroundColor: bot, borderRadius: radius }} />
      <span className={css.visitor} style={{ backgroundColor: visitor, borderRadius: radius }} />
      <span className={css.button} style={{ borderColor: accent, borderRadius: radius }} />
    </span>
  )
}
