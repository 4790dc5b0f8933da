import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fonts, lookCaps } from '../../../../server/contracts/web/look'
import { useAccount } from '../../../api/account'
import { UpgradeBanner } from '../../../projects/UpgradeBanner'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import { Segmented } from '../../../ui/Segmented'
import { Select } from '../../../ui/Select'
import { Slider } from '../../../ui/Slider'
import { Switch } from '../../../ui/Switch'
import { TextField } from '../../../ui/TextField'
import css from '../editor.module.css'
import type { GroupProps } from '../groupProps'

/** Font, corners, density. */
export function ShapeGroup({ draft: { look, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  return (
    <>
      <Select
        label={t('shape.font')}
        data={fonts.map((value) => ({ value, label: t(`shape.fonts.${value}`) }))}
        value={look.shape.font}
        readOnly={readOnly}
        onChange={(value) =>
          change('shape.font', (next) => {
            next.shape.font = fonts.find((font) => font === value) ?? next.shape.font
          })
        }
      />
      <Slider
        label={t('shape.radius')}
        value={look.shape.radius}
        min={0}
        max={28}
        step={1}
        shown={`${look.shape.radius} px`}
        ends={[t('shape.square'), t('shape.round')]}
        readOnly={readOnly}
        onChange={(value) =>
          change('shape.radius', (next) => {
            next.shape.radius = value
          })
        }
      />
      <div className={css.stack}>
        <span className={css.label}>{t('shape.density')}</span>
        <Segmented
          label={t('shape.density')}
          value={look.shape.density}
          options={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`shape.${value}`) }))}
          onChange={(value) =>
            !readOnly &&
            change('shape.density', (next) => {
              next.shape.density = value
            })
          }
        />
      </div>
    </>
  )
}

const parts = ['sources', 'ratings', 'times', 'copy', 'voice', 'sounds', 'transcript', 'whatsapp'] as const

/** What of the chat is there, and what is not. */
export function PartsGroup({ draft: { look, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  const { subscription } = useAccount().user
  const mayHide = subscription.features.no_branding === true
  return (
    <>
      {parts.map((part) => (
        <Switch
          key={part}
          label={t(`parts.${part}`)}
          description={t(`parts.${part}About`)}
          checked={look.parts[part]}
          disabled={readOnly}
          onChange={({ currentTarget: { checked } }) =>
            change(`parts.${part}`, (next) => {
              next.parts[part] = checked
            })
          }
        />
      ))}
      <Switch
        label={t('parts.branding')}
        description={t('parts.brandingAbout')}
        checked={look.parts.branding || !mayHide}
        disabled={readOnly || !mayHide}
        onChange={({ currentTarget: { checked } }) =>
          change('parts.branding', (next) => {
            next.parts.branding = checked
          })
        }
      />
      {!mayHide && <UpgradeBanner addon />}
    </>
  )
}

/** Custom properties of CSS that refine the look, by name and value. */
export function AdvancedGroup({ draft: { look, errors, change }, readOnly }: GroupProps) {
  const { t } = useTranslation('appearance')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const entries = Object.entries(look.variables)
  const add = () => {
    const wanted = name.trim().startsWith('--chat-') ? name.trim() : `--chat-${name.trim()}`
    if (!/^--chat-[a-z0-9-]{1,40}$/.test(wanted)) return setProblem(t('advanced.badName'))
    if (wanted in look.variables) return setProblem(t('advanced.known'))
    setName('')
    change(`variables.${wanted}`, (next) => {
      next.variables[wanted] = ''
    })
  }
  return (
    <>
      <p className={css.about}>{t('advanced.about')}</p>
      {entries.map(([key, value]) => (
        <div key={key} className={css.variable}>
          <TextField
            label={key}
            classNames={{ label: css.code ?? '' }}
            value={value}
            maxLength={100}
            error={errors[`variables.${key}`]}
            readOnly={readOnly}
            onChange={({ currentTarget: { value: typed } }) =>
              change(`variables.${key}`, (next) => {
                next.variables[key] = typed
              })
            }
          />
          {!readOnly && (
            <IconButton
              size="s"
              label={t('advanced.remove', { name: key })}
              icon={<Trash2 size={14} />}
              onClick={() =>
                change(`variables.${key}`, (next) => {
                  delete next.variables[key]
                })
              }
            />
          )}
        </div>
      ))}
      {!readOnly && entries.length < lookCaps.variables && (
        <form
          className={css.variable}
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <TextField
            label={t('advanced.name')}
            placeholder={t('advanced.example')}
            value={name}
            error={problem}
            onChange={(event) => {
              setProblem(undefined)
              setName(event.currentTarget.value)
            }}
          />
          <Button type="submit" icon={<Plus size={14} />} disabled={name.trim() === ''}>
            {t('advanced.add')}
          </Button>
        </form>
      )}
    </>
  )
}
