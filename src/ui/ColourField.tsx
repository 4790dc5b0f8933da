import { ColorPicker } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hexOf, parseColour } from '../../engine/values/colour'
import css from './ColourField.module.css'
import { Popover } from './Popover'
import { TextField } from './TextField'

interface ColourFieldProps {
  label: string
  /** rgba, hex or hex8; what is none of them is shown as it was typed */
  value: string
  error?: string | undefined
  readOnly?: boolean
  /** to choose from in the picker */
  swatches?: readonly string[]
  onChange: (value: string) => void
}

/** A colour, typed or picked; the picker goes by keyboard as well. */
export function ColourField({ label, value, error, readOnly = false, swatches = [], onChange }: ColourFieldProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const colour = parseColour(value)
  return (
    <TextField
      label={label}
      value={value}
      error={error}
      readOnly={readOnly}
      spellCheck={false}
      classNames={{ input: css.input ?? '' }}
      leftSectionWidth={38}
      leftSection={
        <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
          <Popover.Target>
            <button
              type="button"
              className={css.swatch}
              aria-label={t('colour.pick', { label })}
              disabled={readOnly}
              onClick={() => setOpen(!open)}
            >
              <span style={{ backgroundColor: colour ? hexOf(colour) : 'transparent' }} />
            </button>
          </Popover.Target>
          <Popover.Dropdown className={css.dropdown ?? ''} aria-label={label}>
            <ColorPicker
              format="hexa"
              fullWidth
              value={colour ? hexOf({ ...colour }) : '#000000ff'}
              onChange={(picked) => onChange(shorter(picked))}
              swatches={[...swatches]}
              swatchesPerRow={8}
              saturationLabel={t('colour.saturation')}
              hueLabel={t('colour.hue')}
              alphaLabel={t('colour.opacity')}
            />
          </Popover.Dropdown>
        </Popover>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Without the opacity of what is opaque. */
const shorter = (hex8: string): string => hex8.replace(/^(#[0-9a-f]{6})ff$/i, '$1')
