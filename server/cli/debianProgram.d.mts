export function ensureProgram(name: 'chromium' | 'redis-server' | 'pebble' | 'ffuf' | 'sqlmap' | 'wapiti'): void
