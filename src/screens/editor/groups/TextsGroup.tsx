import { useTranslation } from 'react-i18next'
import { lookCaps } from '../../../../server/contracts/web/look'
import { TextArea } from '../../../ui/TextArea'
import { TextField } from '../../../ui/TextField'
import css from '../editor.module.css'
import type { GroupProps } from '../groupProps'
import { ItemList } from '../ItemList'

/** The welcome above the conversation, and what the empty input says. */
export function TextsGroup({ draft: { look, errors, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  return (
    <>
      <TextArea
        label={t('texts.welcome')}
        description={t('texts.welcomeAbout')}
        value={look.texts.welcome}
        maxLength={lookCaps.welcome}
        error={errors['texts.welcome']}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          change('texts.welcome', (next) => {
            next.texts.welcome = value
          })
        }
      />
      <TextField
        label={t('texts.placeholder')}
        description={t('texts.placeholderAbout')}
        value={look.texts.placeholder}
        maxLength={lookCaps.placeholder}
        error={errors['texts.placeholder']}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          change('texts.placeholder', (next) => {
            next.texts.placeholder = value
          })
        }
      />
    </>
  )
}

/** What the bot says before its flow does. */
export function MessagesGroup({ draft: { look, errors, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  return (
    <>
      <ItemList
        item={t('messages.item')}
        add={t('messages.add')}
        items={look.texts.initial_messages}
        max={10}
        readOnly={readOnly}
        create={() => ''}
        onChange={(items) =>
          change('texts.initial_messages', (next) => {
            next.texts.initial_messages = items
          })
        }
      >
        {(message, index, set) => (
          <TextArea
            aria-label={t('messages.place', { place: index + 1 })}
            placeholder={t('messages.placeholder')}
            value={message}
            maxLength={lookCaps.initialMessage}
            error={errors[`texts.initial_messages.${index}`]}
            readOnly={readOnly}
            onChange={(event) => set(event.currentTarget.value)}
          />
        )}
      </ItemList>
      {errors['texts.initial_messages'] && (
        <p role="alert" className={css.wrongNote}>
          {errors['texts.initial_messages']}
        </p>
      )}
    </>
  )
}

/** What visitors may begin with. */
export function QueriesGroup({ draft: { look, errors, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  return (
    <ItemList
      item={t('queries.item')}
      add={t('queries.add')}
      items={look.texts.queries}
      max={lookCaps.queries}
      readOnly={readOnly}
      create={() => ({ label: '', value: '' })}
      onChange={(items) =>
        change('texts.queries', (next) => {
          next.texts.queries = items
        })
      }
    >
      {(query, index, set) => (
        <>
          <TextField
            label={t('queries.label')}
            value={query.label}
            maxLength={lookCaps.queryLabel}
            error={errors[`texts.queries.${index}.label`]}
            readOnly={readOnly}
            onChange={(event) => set({ ...query, label: event.currentTarget.value })}
          />
          <TextField
            label={t('queries.value')}
            placeholder={query.label}
            value={query.value}
            maxLength={lookCaps.queryValue}
            error={errors[`texts.queries.${index}.value`]}
            readOnly={readOnly}
            onChange={(event) => set({ ...query, value: event.currentTarget.value })}
          />
        </>
      )}
    </ItemList>
  )
}

/** The line below the chat. */
export function FooterGroup({ draft: { look, errors, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  return (
    <>
      <TextField
        label={t('footer.text')}
        value={look.texts.footer}
        maxLength={lookCaps.footer}
        error={errors['texts.footer']}
        readOnly={readOnly}
        onChange={({ currentTarget: { value } }) =>
          change('texts.footer', (next) => {
            next.texts.footer = value
          })
        }
      />
      <ItemList
        item={t('footer.link')}
        add={t('footer.add')}
        items={look.texts.footer_links}
        max={5}
        readOnly={readOnly}
        create={() => ({ label: '', url: '' })}
        onChange={(items) =>
          change('texts.footer_links', (next) => {
            next.texts.footer_links = items
          })
        }
      >
        {(link, index, set) => (
          <>
            <TextField
              label={t('footer.label')}
              value={link.label}
              maxLength={75}
              error={errors[`texts.footer_links.${index}.label`]}
              readOnly={readOnly}
              onChange={(event) => set({ ...link, label: event.currentTarget.value })}
            />
            <TextField
              label={t('footer.url')}
              placeholder="https://"
              value={link.url}
              error={errors[`texts.footer_links.${index}.url`]}
              readOnly={readOnly}
              onChange={(event) => set({ ...link, url: event.currentTarget.value })}
            />
          </>
        )}
      </ItemList>
    </>
  )
}
