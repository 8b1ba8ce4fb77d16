// node check.mjs: whether the project does what it should.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { book } from './src/book.mjs'
import { fitting } from './src/fitting.mjs'
import { rooms } from './src/rooms.mjs'

assert.equal(fitting(rooms, 3).name, 'Attic')
const booked = book([], { room: 'Attic', from: 9, to: 11 })
assert.equal(booked.length, 1)
assert.equal(book(booked, { room: 'Attic', from: 10, to: 12 }), null)
assert.match(readFileSync('README.md', 'utf8'), /^book\(bookings/m)
