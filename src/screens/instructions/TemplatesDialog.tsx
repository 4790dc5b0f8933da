import { useQuery } from '@tanstack/react-query'
import { BadgeHelp, CalendarClock, GraduationCap, Headset, PackageSearch, ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chatbotQuery } from '../../api/chatbots'
import { Button } from '../../ui/Button'
import { Choice, Choices } from '../../ui/Choices'
import { Modal, ModalActions } from '../../ui/Modal'
import styles from './instructions.module.css'
import type { Draft } from './useDraft'

const templates = [
  ['support', Headset],
  ['sales', ShoppingBag],
  ['booking', CalendarClock],
  ['helpdesk', BadgeHelp],
  ['orders', PackageSearch],
  ['course', GraduationCap],
] as const
type Template = (typeof templates)[number][0]

interface TemplatesDialogProps {
  pgid: string
  cgid: string
  draft: Draft
  onClose: () => void
}

/** Templates of instructions with a preview; asks before replacing existing text. */
export function TemplatesDialog({ pgid, cgid, draft, onClose }: TemplatesDialogProps) {
  const { t } = useTranslation('instructions')
  const { t: common } = useTranslation()
  const [chosen, setChosen] = useState<Template>('support')
  const { data: chatbot } = useQuery(chatbotQuery(pgid, cgid))
  const business = chatbot?.business_name || t('templates.business')
  const text = t(`templates.${chosen}.text`, { business })
  const present = draft.text.trim()
  const take = (next: string) => {
    draft.write(next)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('templates.title')} size={760}>
      <div className={styles.form}>
        <Choices label={t('templates.label')} value={chosen} onChange={setChosen}>
          {templates.map(([name, Icon]) => (
            <Choice
              key={name}
              value={name}
              icon={<Icon />}
              title={t(`templates.${name}.title`)}
              description={t(`templates.${name}.about`)}
            />
          ))}
        </Choices>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        <section className={styles.preview} aria-label={t('templates.preview')} tabIndex={0}>
          {text}
        </section>
        {present !== '' && (
          <p role="status" className={styles.hint}>
            {t('templates.ask')}
          </p>
        )}
      </div>
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        {present === '' ? (
          <Button design="primary" onClick={() => take(text)}>
            {t('templates.use')}
          </Button>
        ) : (
          <>
            <Button onClick={() => take(`${present}\n\n${text}`)}>{t('templates.below')}</Button>
            <Button design="primary" onClick={() => take(text)}>
              {t('templates.replace')}
            </Button>
          </>
        )}
      </ModalActions>
    </Modal>
  )
}
