#!/usr/bin/env node
'use strict';
require('../dist/engine/command.js').command(__filename);
